import { Agent, type Dispatcher, request } from 'undici';

/** Connections of the tests' clients, kept alive. `fetch` takes several times the CPU time for each request. */
const agent = new Agent();

export interface OutgoingRequest {
  readonly method: string;
  /** A header that is null is not sent. */
  readonly headers: Readonly<Record<string, string | null>>;
  readonly body?: string | Uint8Array;
}

interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a request and reads the whole response. Does not follow redirects. */
export async function exchange(
  url: URL,
  { method, headers, body }: OutgoingRequest,
): Promise<ReceivedResponse> {
  const answer = await request(url, {
    dispatcher: agent,
    method: method as Dispatcher.HttpMethod,
    headers: Object.fromEntries(
      Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null),
    ),
    ...(body !== undefined && { body }),
  });
  return {
    status: answer.statusCode,
    headers: headersOf(answer.headers),
    text: await answer.body.text(),
  };
}

function headersOf(receivedHeaders: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(receivedHeaders)) {
    for (const text of [value ?? []].flat()) headers.append(name, text);
  }
  return headers;
}
