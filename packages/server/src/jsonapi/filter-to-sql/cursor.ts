import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { problem } from '@florin/contract/errors.ts';
import type { Model } from '../model.ts';
import type { SortKey } from '../parse-query/query.ts';

/** Key values of a row; an empty position is the end of the list. */
export type Position = readonly (string | null)[];

/** Encodes and decodes the opaque texts of `page[after]` and `page[before]`. */
export interface Cursors {
  encode(model: Model, sort: readonly SortKey[], position: Position): string;
  /** Throws `invalid_cursor` for a changed cursor, or for one of another type or sort order. */
  decode(
    model: Model,
    sort: readonly SortKey[],
    cursor: string,
    side: 'after' | 'before',
  ): Position;
}

const CHECKSUM_BYTES = 16;

/** `secret` is shared, so that cursors stay valid across processes and restarts. */
export function createCursors(secret: Buffer | string): Cursors {
  // Node takes five times as long for an HMAC with a key in a Buffer.
  const key = createSecretKey(Buffer.from(secret));
  const checksumOf = (fingerprint: string, body: Buffer): Buffer =>
    createHmac('sha256', key)
      .update(fingerprint)
      .update('\0')
      .update(body)
      .digest()
      .subarray(0, CHECKSUM_BYTES);
  return {
    encode(model, sort, position) {
      const body = Buffer.from(JSON.stringify(position));
      return Buffer.concat([checksumOf(fingerprintOf(model, sort), body), body]).toString(
        'base64url',
      );
    },
    decode(model, sort, cursor, side) {
      const bytes = Buffer.from(cursor, 'base64url');
      const body = bytes.subarray(CHECKSUM_BYTES);
      const expected = checksumOf(fingerprintOf(model, sort), body);
      const actual = bytes.subarray(0, CHECKSUM_BYTES);
      if (actual.length === CHECKSUM_BYTES && timingSafeEqual(actual, expected)) {
        return JSON.parse(body.toString()) as Position;
      }
      throw problem(
        'invalid_cursor',
        'The cursor does not fit this list. Take cursors from the links of this list, with the same sort.',
        {
          parameter: `page[${side}]`,
        },
      );
    },
  };
}

const fingerprintOf = (model: Model, sort: readonly SortKey[]): string =>
  `${model.type} ${sort
    .map(({ hops, field, descending }) =>
      [descending ? '-' : '+', ...hops.map(({ name }) => name), field.name].join('.'),
    )
    .join(' ')}`;
