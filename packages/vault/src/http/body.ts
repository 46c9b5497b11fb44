import type { IncomingMessage } from 'node:http';
import { VaultRefusal } from '../kernel/errors.ts';

export const BODY_BYTES_MAX = 1024 * 1024;

/** Reads a JSON body of at most `bytes_max`. Throws `bad_request`. */
export async function readJson(
  request: IncomingMessage,
  bytes_max = BODY_BYTES_MAX,
): Promise<unknown> {
  // Too large bodies are refused before they are read, so that the caller still gets the response.
  if (Number(request.headers['content-length'] ?? 0) > bytes_max) throw tooLargeRefusal(bytes_max);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytes_max) throw tooLargeRefusal(bytes_max);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    // Without `cause`, because the parser's message quotes the body.
    throw new VaultRefusal('bad_request', 'The body must be JSON.');
  }
}

const tooLargeRefusal = (bytes_max: number): VaultRefusal =>
  new VaultRefusal('bad_request', `The body must be at most ${bytes_max} bytes.`);
