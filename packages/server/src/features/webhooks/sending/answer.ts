import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { maskCards } from '@florin/contract/card/scan.ts';

/** Bytes of a body that are read. The status decides the outcome, so more is not needed. */
const BODY_READ_MAX = 16_384;
/** Milliseconds that the body may take after the headers. */
const BODY_WAIT_MS = 1_000;
/** Bytes of the body, and of the headers, that are stored. */
const BODY_STORED_MAX = 1_024;
const HEADERS_STORED_MAX = 4_096;

/** Headers with the receiver's secrets. Only their presence is stored. */
const SECRET_HEADERS: ReadonlySet<string> = new Set(['set-cookie', 'authorization']);
const NOT_STORED = '[not kept]';

/** Reads the beginning of a body that may be too long, endless or cut off. */
export const beginningOf = (body: Readable): Promise<Buffer> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => body.destroy(), BODY_WAIT_MS);
    const resolveBody = (): void => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks));
    };
    body.on('error', resolveBody).on('close', resolveBody).on('end', resolveBody);
    body.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= BODY_READ_MAX) body.destroy();
    });
  });

/** First kilobyte of a body as storable text; undefined if empty. */
export function storedBody(bytes: Buffer): string | undefined {
  if (bytes.length === 0) return undefined;
  // In stream mode the decoder omits a truncated last character.
  const text = new TextDecoder().decode(bytes.subarray(0, BODY_STORED_MAX), { stream: true });
  return maskCards(withoutNul(text)) || undefined;
}

/** Headers as JSON text, in order of arrival, as many as fit. */
export function storedHeaders(headers: IncomingHttpHeaders): string {
  let members = '';
  for (const [name, value] of Object.entries(headers)) {
    const text = SECRET_HEADERS.has(name) ? NOT_STORED : [value ?? ''].flat().join(', ');
    // Masks before the JSON encoding, because masking also replaces characters such as quotation
    // marks.
    const member = [name, text]
      .map((part) => JSON.stringify(maskCards(withoutNul(part))))
      .join(':');
    if (Buffer.byteLength(members) + Buffer.byteLength(member) + 3 > HEADERS_STORED_MAX) continue;
    members += `${members && ','}${member}`;
  }
  return `{${members}}`;
}

const withoutNul = (text: string): string => text.replaceAll('\0', '');
