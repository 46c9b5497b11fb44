import type { Scope } from '../kernel/scope.ts';
import type { Database, Db } from '../store/db.ts';

const BATCH_ROWS = 5_000;

/** A destroyed merchant: its last key then, and the time in milliseconds. */
interface DestroyedMerchant extends Scope {
  readonly version: number;
  readonly at: number;
}

/**
 * Cards from before the destruction under a later key. A vault without the tombstone has rotated the key of a restored
 * database. A card that was entered later is younger than its key, or than the destruction, up to the difference of two clocks.
 */
const REWRAPPED = `from vault.cards card
  join vault.keks kek on kek.merchant_id = card.merchant_id and kek.mode = card.mode
    and kek.version = card.kek_version
  where card.merchant_id = $1 and card.mode = $2 and card.kek_version > $3 and card.created_at <= $4
    and card.created_at < kek.created_at`;

const valuesOf = ({ merchant_id, mode, version, at }: DestroyedMerchant) => [
  merchant_id,
  mode,
  version,
  new Date(at),
];

/** Whether a destroyed merchant has cards again. */
export const hasRewrappedCards = async (db: Db, merchant: DestroyedMerchant): Promise<boolean> =>
  (await db.query(`select 1 ${REWRAPPED} limit 1`, valuesOf(merchant))).length > 0;

/**
 * Deletes them in batches, and then the keyed hashes of cards that are gone. Waits for a rotation that runs, so that it
 * brings none back. Returns how many there were.
 */
export async function deleteRewrapped(db: Database, merchant: DestroyedMerchant): Promise<number> {
  let deletedCount = 0;
  for (let count = BATCH_ROWS; count === BATCH_ROWS; deletedCount += count)
    count = await db.transaction((tx) => deleteBatch(tx, merchant));
  if (deletedCount > 0) await deleteUnusedIds(db, merchant);
  return deletedCount;
}

const deleteUnusedIds = (db: Db, { merchant_id, mode }: Scope): Promise<object[]> =>
  db.query(
    `delete from vault.fingerprint_ids where merchant_id = $1 and mode = $2 and id not in (
       select fingerprint from vault.cards where merchant_id = $1 and mode = $2)`,
    [merchant_id, mode],
  );

async function deleteBatch(tx: Db, merchant: DestroyedMerchant): Promise<number> {
  const { merchant_id, mode } = merchant;
  await tx.query(
    `select from vault.keks where merchant_id = $1 and mode = $2 order by version desc limit 1 for no key update`,
    [merchant_id, mode],
  );
  const rows = await tx.query(
    `delete from vault.cards where (merchant_id, mode, token) in (
       select card.merchant_id, card.mode, card.token ${REWRAPPED} limit ${BATCH_ROWS}
     ) returning token`,
    valuesOf(merchant),
  );
  return rows.length;
}
