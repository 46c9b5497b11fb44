import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { problem } from '@florin/contract/errors.ts';
import { firstKeyOf, keyRingOf, type Secret } from '../../platform/crypto/key-ring.ts';
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
export function createCursors(secret: Secret): Cursors {
  const ring = keyRingOf(secret);
  const checksumOf = (key: KeyObject, fingerprint: string, body: Buffer): Buffer =>
    createHmac('sha256', key)
      .update(fingerprint)
      .update('\0')
      .update(body)
      .digest()
      .subarray(0, CHECKSUM_BYTES);
  return {
    encode(model, sort, position) {
      const body = Buffer.from(JSON.stringify(position));
      const checksum = checksumOf(firstKeyOf(ring), fingerprintOf(model, sort), body);
      return Buffer.concat([checksum, body]).toString('base64url');
    },
    decode(model, sort, cursor, side) {
      const bytes = Buffer.from(cursor, 'base64url');
      const body = bytes.subarray(CHECKSUM_BYTES);
      const actual = bytes.subarray(0, CHECKSUM_BYTES);
      const fingerprint = fingerprintOf(model, sort);
      const isOwn = (key: KeyObject): boolean =>
        actual.length === CHECKSUM_BYTES &&
        timingSafeEqual(actual, checksumOf(key, fingerprint, body));
      if (ring.keys().some(isOwn)) return JSON.parse(body.toString()) as Position;
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
