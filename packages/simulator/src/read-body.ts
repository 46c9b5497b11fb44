import type { IncomingMessage } from 'node:http';
import { BadRequest } from './parse.ts';

/** Maximum size of a JSON or form body, in bytes. */
export const BODY_BYTES_MAX = 64 * 1024;

/** Reads a body. Throws `BadRequest` if the body has more than `bytesMax` bytes. */
export async function readBody(
  request: IncomingMessage,
  bytesMax = BODY_BYTES_MAX,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new BadRequest(`The body is larger than ${bytesMax} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
