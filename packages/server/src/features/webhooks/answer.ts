import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { maskCards } from '@florin/contract/card/scan.ts';

/** The answer's status is what counts; of its body no more than this is taken off the wire. */
const BODY_READ_MAX = 16_384;
/** How long the body may take once the headers have come. */
const BODY_WAIT_MS = 1_000;
/** What is kept of a body and of headers, in bytes. */
const BODY_KEPT_MAX = 1_024;
const HEADERS_KEPT_MAX = 4_096;

/** Headers whose values are the receiver's own secrets; that they came is kept. */
const SECRET_HEADERS: ReadonlySet<string> = new Set(['set-cookie', 'authorization']);
const NOT_KEPT = '[not kept]';

/** The beginning of a body. One that is longer, does not end, or breaks off, is what came of it. */
export const beginningOf = (body: Readable): Promise<Buffer> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => body.destroy(), BODY_WAIT_MS);
    const done = (): void => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks));
    };
    body.on('error', done).on('close', done).on('end', done);
    body.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= BODY_READ_MAX) body.destroy();
    });
  });

/** What is kept of a body: its first kilobyte as text that PostgreSQL takes; undefined where it is empty. */
export function keptBody(bytes: Buffer): string | undefined {
  if (bytes.length === 0) return undefined;
  // As a stream, it leaves out a character of which the end is cut off.
  const text = new TextDecoder().decode(bytes.subarray(0, BODY_KEPT_MAX), { stream: true });
  return maskCards(withoutNul(text)) || undefined;
}

/** What is kept of headers, as JSON text: those that fit, in the order in which they came. */
export function keptHeaders(headers: IncomingHttpHeaders): string {
  let kept = '';
  for (const [name, value] of Object.entries(headers)) {
    const text = SECRET_HEADERS.has(name) ? NOT_KEPT : [value ?? ''].flat().join(', ');
    // What is masked is read with look-alikes as plain signs, quotation marks among them: JSON is made of it afterwards.
    const member = [name, text]
      .map((part) => JSON.stringify(maskCards(withoutNul(part))))
      .join(':');
    if (Buffer.byteLength(kept) + Buffer.byteLength(member) + 3 > HEADERS_KEPT_MAX) continue;
    kept += `${kept && ','}${member}`;
  }
  return `{${kept}}`;
}

const withoutNul = (text: string): string => text.replaceAll('\0', '');
