import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { entityTag, isHeld } from '../jsonapi/etag.ts';

/** A file that never changes while the process runs. Each encoding is made once, on first use. */
export interface FixedFile {
  readonly headers: Readonly<Record<string, string>>;
  /** Best encoding first; the last form is uncompressed. */
  readonly forms: readonly Form[];
}

interface Form {
  readonly encoding: string | undefined;
  readonly content: () => Content;
}

interface Content {
  readonly body: Buffer;
  readonly etag: string;
}

/** Higher qualities take a second per megabyte and save only 10 %. */
const BROTLI_QUALITY = 5;

const encodings: readonly (readonly [string, (body: Buffer) => Buffer])[] = [
  [
    'br',
    (body) =>
      brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  ],
  ['gzip', (body) => gzipSync(body)],
];

export function fixedFile(text: string, headers: Readonly<Record<string, string>>): FixedFile {
  const body = Buffer.from(text);
  return {
    headers: { 'cache-control': 'no-cache', vary: 'Accept-Encoding', ...headers },
    forms: [
      ...encodings.map(([encoding, encode]) => formOf(encoding, () => encode(body))),
      formOf(undefined, () => body),
    ],
  };
}

function formOf(encoding: string | undefined, encode: () => Buffer): Form {
  const contentOf = (body: Buffer): Content => ({ body, etag: entityTag(body, undefined) });
  let content: Content | undefined;
  return {
    encoding,
    content: () => {
      content ??= contentOf(encode());
      return content;
    },
  };
}

/** Sends the file in the client's best encoding; 304 if the client has the current version. */
export function sendFixed(
  { headers: requestHeaders }: FastifyRequest,
  reply: FastifyReply,
  { headers, forms }: FixedFile,
): FastifyReply {
  const accepted = String(requestHeaders['accept-encoding'] ?? '');
  const { encoding, content } = forms.find((form) => isAccepted(accepted, form)) as Form;
  const { body, etag } = content();
  reply.headers({ etag, vary: headers.vary, 'cache-control': headers['cache-control'] });
  if (isHeld(requestHeaders['if-none-match'], etag)) return reply.code(304).send();
  return reply
    .headers({ ...headers, ...(encoding && { 'content-encoding': encoding }) })
    .send(body);
}

/** Whether `Accept-Encoding`, such as `gzip;q=0.5, br`, accepts the encoding (RFC 9110, section 12.5.3). */
const isAccepted = (accepted: string, { encoding }: Form): boolean =>
  encoding === undefined ||
  accepted.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === encoding && !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text));
  });
