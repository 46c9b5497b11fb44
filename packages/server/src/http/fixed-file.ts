import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { entityTag, matchesTag } from '../jsonapi/etag.ts';

/** A file that never changes while the process runs. Each encoding is made once, on first use. */
export interface FixedFile {
  readonly headers: Readonly<Record<string, string>>;
  /** Best encoding first; the last form is uncompressed. */
  readonly variants: readonly FileVariant[];
}

interface FileVariant {
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

export function createFixedFile(
  content: string | Buffer,
  headers: Readonly<Record<string, string>>,
): FixedFile {
  const body = Buffer.from(content);
  return {
    headers: { 'cache-control': 'no-cache', vary: 'Accept-Encoding', ...headers },
    variants: [
      ...(isCompressed(headers) ? [] : encodings).map(([encoding, encode]) =>
        createVariant(encoding, () => encode(body)),
      ),
      createVariant(undefined, () => body),
    ],
  };
}

/** Pictures are compressed already. */
const isCompressed = ({ 'content-type': type = '' }: Readonly<Record<string, string>>): boolean =>
  /^image\/(?:png|webp)$/.test(type);

function createVariant(encoding: string | undefined, encode: () => Buffer): FileVariant {
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

/** Sends the file in the client's best encoding; 304 if the status is 200 and the client has the current version. */
export function sendFixedFile(
  { headers: requestHeaders }: FastifyRequest,
  reply: FastifyReply,
  { headers, variants }: FixedFile,
): FastifyReply {
  const acceptEncoding = String(requestHeaders['accept-encoding'] ?? '');
  const { encoding, content } = variants.find((variant) =>
    isAccepted(acceptEncoding, variant),
  ) as FileVariant;
  const { body, etag } = content();
  reply.headers({ etag, vary: headers.vary, 'cache-control': headers['cache-control'] });
  const isCurrent = reply.statusCode === 200 && matchesTag(requestHeaders['if-none-match'], etag);
  if (isCurrent) return reply.code(304).send();
  return reply
    .headers({ ...headers, ...(encoding && { 'content-encoding': encoding }) })
    .send(body);
}

/** Whether `Accept-Encoding`, such as `gzip;q=0.5, br`, accepts the encoding (RFC 9110, section 12.5.3). */
const isAccepted = (acceptEncoding: string, { encoding }: FileVariant): boolean =>
  encoding === undefined ||
  acceptEncoding.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === encoding && !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text));
  });
