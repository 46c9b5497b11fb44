import { setImmediate } from 'node:timers/promises';
import { rewrapDek } from '../cards/record.ts';
import type { Scope } from '../kernel/scope.ts';
import { WRAPPED_KEY_BYTES } from '../keys/aead.ts';
import type { Kek } from '../keys/keks.ts';
import type { Db } from '../store/db.ts';

/** Records per read, rewrap and write. */
export const SLICE_ROWS = 500;
/** Records rewrapped before this process yields, after about a millisecond. */
const ROWS_PER_YIELD = 100;

/** Keys of one merchant and mode, which encrypt data keys. */
export interface MerchantKeys {
  readonly scope: Scope;
  readonly newest: Kek;
  /** Older keys by version. */
  readonly older: ReadonlyMap<number, Kek>;
}

/** A rewrapped data key, and the physical position of its row. */
export interface RewrappedKey {
  readonly place: string;
  readonly wrapped_dek: Buffer;
}

/** A data key that an older key wraps. */
export interface CardKey extends RewrappedKey {
  readonly token: string;
  readonly kek_version: number;
  /** PostgreSQL's text, which is more precise than a `Date`. */
  readonly created_at: string;
}

/** Cursor after these records in rotation order; undefined without records. */
export function cursorAfter(cards: readonly CardKey[]): string | undefined {
  const lastCard = cards.at(-1);
  return lastCard && `${lastCard.created_at} ${lastCard.token}`;
}

/**
 * Locks and returns the next records after the cursor whose data keys older keys wrap. The cursor `''` is the
 * start.
 */
export function readSlice(
  tx: Db,
  { scope: { merchant_id, mode }, newest }: MerchantKeys,
  cursor: string,
): Promise<CardKey[]> {
  const separatorIndex = cursor.lastIndexOf(' ');
  const [created_at, token] = [cursor.slice(0, separatorIndex), cursor.slice(separatorIndex + 1)];
  return tx.query(
    `select ctid::text as place, created_at::text, token, kek_version, wrapped_dek from vault.cards card
     where merchant_id = $1 and mode = $2 and (created_at, token) > ($4::timestamptz, $5)
       and kek_version < $3
     order by card.created_at, card.token limit ${SLICE_ROWS} for no key update`,
    [merchant_id, mode, newest.version, cursor === '' ? '-infinity' : created_at, token],
    'cards-to-rewrap',
  );
}

/** Rewraps data keys with the newest key. Omits keys that cannot be unwrapped. */
export async function rewrapSlice(
  keys: MerchantKeys,
  cards: readonly CardKey[],
): Promise<RewrappedKey[]> {
  const rewrappedKeys: RewrappedKey[] = [];
  for (const [index, card] of cards.entries()) {
    if (index % ROWS_PER_YIELD === 0) await setImmediate();
    const wrapped_dek = rewrapOne(keys, card);
    if (wrapped_dek) rewrappedKeys.push({ place: card.place, wrapped_dek });
  }
  return rewrappedKeys;
}

function rewrapOne(
  { scope, newest, older }: MerchantKeys,
  { token, kek_version, wrapped_dek }: CardKey,
): Buffer | undefined {
  const olderKek = older.get(kek_version);
  try {
    return (
      olderKek && rewrapDek(olderKek, newest, { ...scope, token, purpose: 'pan' }, wrapped_dek)
    );
  } catch {
    return undefined;
  }
}

/** Writes data keys to rows that the transaction has locked. */
export async function storeSlice(
  tx: Db,
  { newest }: MerchantKeys,
  rewrappedKeys: readonly RewrappedKey[],
): Promise<void> {
  if (rewrappedKeys.length === 0) return;
  // Sends all data keys as one value, which is far cheaper than many values. Locked rows keep their physical
  // positions, so the update needs no index.
  await tx.query(
    `update vault.cards card
     set kek_version = $1, wrapped_dek = substring($3::bytea from ($4::int * (fresh.at::int - 1) + 1) for $4::int)
     from unnest($2::tid[]) with ordinality as fresh (place, at) where card.ctid = fresh.place`,
    [
      newest.version,
      rewrappedKeys.map(({ place }) => place),
      Buffer.concat(rewrappedKeys.map(({ wrapped_dek }) => wrapped_dek)),
      WRAPPED_KEY_BYTES,
    ],
    'store-rewrapped',
  );
}
