import type { StoredDelivery } from './delivery-books.ts';

/** Response of a receiver. `text` has at most the first `RESPONSE_BYTES_MAX` bytes. */
export interface ReceiverAnswer {
  readonly status: number;
  readonly text: string;
}

/** Bytes of a receiver's response that are read. */
const RESPONSE_BYTES_MAX = 4_096;

/** Sends a delivery once. Rejects without a response in time; redirects are responses. */
export async function sendDelivery(
  { url, headers, body }: StoredDelivery,
  timeout_ms: number,
  closingSignal: AbortSignal,
): Promise<ReceiverAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    redirect: 'manual',
    signal: AbortSignal.any([closingSignal, AbortSignal.timeout(timeout_ms)]),
  });
  return { status: response.status, text: await readStart(response) };
}

async function readStart({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= RESPONSE_BYTES_MAX) break;
  }
  return Buffer.concat(chunks).subarray(0, RESPONSE_BYTES_MAX).toString();
}
