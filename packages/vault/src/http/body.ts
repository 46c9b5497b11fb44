import type { IncomingMessage } from 'node:http';
import { VaultRefusal } from '../kernel/errors.ts';

export const BODY_BYTES_MAX = 1024 * 1024;

/** Reads a JSON body of at most 1 MiB. Throws `bad_request`. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  // Too large bodies are refused before they are read, so that the caller still gets the response.
  if (Number(request.headers['content-length'] ?? 0) > BODY_BYTES_MAX) throw tooLargeRefusal();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw tooLargeRefusal();
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    // Without `cause`, because the parser's message quotes the body.
    throw new VaultRefusal('bad_request', 'The body must be JSON.');
  }
}

const tooLargeRefusal = (): VaultRefusal =>
  new VaultRefusal('bad_request', `The body must be at most ${BODY_BYTES_MAX} bytes.`);
