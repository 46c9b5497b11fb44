import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { maskCards } from '@florin/contract/card/scan.ts';

/** The status decides the outcome, so only this much of the body is read. */
const BODY_READ_MAX = 16_384;
/** Time that the body has after the headers. */
const BODY_WAIT_MS = 1_000;
/** Stored bytes of a body and of headers. */
const BODY_STORED_MAX = 1_024;
const HEADERS_STORED_MAX = 4_096;

/** Headers with secrets of the receiver; only their presence is stored. */
const SECRET_HEADERS: ReadonlySet<string> = new Set(['set-cookie', 'authorization']);
const NOT_STORED = '[not kept]';

/** Beginning of a body that may be too long, endless or cut off. */
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

/** Stored part of a body: its first kilobyte as storable text; undefined if empty. */
export function storedBody(bytes: Buffer): string | undefined {
  if (bytes.length === 0) return undefined;
  // In stream mode, the decoder omits a character that is cut off.
  const text = new TextDecoder().decode(bytes.subarray(0, BODY_STORED_MAX), { stream: true });
  return maskCards(withoutNul(text)) || undefined;
}

/** Stored headers as JSON text: those that fit, in the order of arrival. */
export function storedHeaders(headers: IncomingHttpHeaders): string {
  let stored = '';
  for (const [name, value] of Object.entries(headers)) {
    const text = SECRET_HEADERS.has(name) ? NOT_STORED : [value ?? ''].flat().join(', ');
    // Masking replaces look-alike characters, quotation marks among them, so it precedes the JSON
    // encoding.
    const member = [name, text]
      .map((part) => JSON.stringify(maskCards(withoutNul(part))))
      .join(':');
    if (Buffer.byteLength(stored) + Buffer.byteLength(member) + 3 > HEADERS_STORED_MAX) continue;
    stored += `${stored && ','}${member}`;
  }
  return `{${stored}}`;
}

const withoutNul = (text: string): string => text.replaceAll('\0', '');
