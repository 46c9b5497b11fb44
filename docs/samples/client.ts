const BASE = process.env.BASE ?? 'http://localhost:4000';
const KEY = process.env.KEY; // a secret key

/** Sends a request and returns the document. Throws the first error of a refused request. */
async function florin(method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(BASE + path, {
    method,
    headers: {
      Authorization: `Bearer ${KEY}`,
      'User-Agent': 'my-shop/1.0',
      'Content-Type': 'application/vnd.api+json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const document = text === '' ? undefined : JSON.parse(text);
  if (!response.ok) throw new Error(`${document.errors[0].code}: ${document.errors[0].detail}`);
  return document;
}
