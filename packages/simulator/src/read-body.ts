import type { IncomingMessage } from 'node:http';
import { BadRequest } from './parse.ts';

/** Maximum size of a JSON or form body, in bytes. */
export const BODY_BYTES_MAX = 64 * 1024;

/**
 * Reads a body. Throws `BadRequest` if the body has more than `bytesMax` bytes. Listens to events: an iterator of the
 * body costs as much as parsing the request.
 */
export function readBody(request: IncomingMessage, bytesMax = BODY_BYTES_MAX): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    // The rest is read and dropped, so that the caller gets the response.
    if (bytes <= bytesMax) chunks.push(chunk);
    else reject(new BadRequest(`The body is larger than ${bytesMax} bytes.`));
  });
  request.once('end', () => resolve(Buffer.concat(chunks)));
  request.once('error', reject);
  request.once('close', () => reject(new Error('The request ended before its body.')));
  return promise;
}
