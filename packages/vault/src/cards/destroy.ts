import type { Actor, Audit } from '../audit/audit.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import type { Scope } from '../kernel/scope.ts';
import type { Fingerprints } from '../keys/fingerprints.ts';
import type { Keks } from '../keys/keks.ts';
import type { Database, Db } from '../store/db.ts';
import { deleteCard } from './card-store.ts';

const BATCH_ROWS = 5_000;

export interface DestroyDeps {
  readonly db: Database;
  readonly keks: Keks;
  readonly fingerprints: Fingerprints;
  readonly audit: Audit;
}

/** Destroys a card with its data key. Throws `unknown_token` if the merchant has no such card. */
export async function destroyCard(
  { db, audit }: DestroyDeps,
  scope: Scope,
  token: string,
  actor: Actor,
): Promise<void> {
  const wasStored = await deleteCard(db, scope, token);
  const outcome = wasStored ? 'destroyed' : 'unknown_token';
  await audit.record({ actor, verb: 'destroy_card', ...scope, token, outcome });
  if (!wasStored) throw new VaultRefusal('unknown_token', 'card_pan_token is not known.');
}

/**
 * Destroys all cards of a merchant in one mode by destroying their key in one statement. Then deletes the
 * rows, which can no longer be decrypted. Returns the number of cards. After a crash, the sweeper deletes the
 * remaining rows.
 */
export async function destroyMerchant(
  deps: DestroyDeps,
  scope: Scope,
  now: number,
  actor: Actor,
): Promise<number> {
  const { db, keks, fingerprints, audit } = deps;
  const isDestroyed = await destroyKeks(db, scope, now);
  keks.clear();
  fingerprints.clear();
  const outcome = isDestroyed ? 'destroyed' : 'unknown_merchant';
  await audit.record({ actor, verb: 'destroy_merchant', ...scope, outcome });
  if (!isDestroyed) throw new VaultRefusal('bad_request', 'This merchant has no key in this mode.');
  let deletedCount = 0;
  for (let count = BATCH_ROWS; count === BATCH_ROWS; deletedCount += count) {
    count = await sweepDestroyed(db);
  }
  return deletedCount;
}

/** Deletes the keys but keeps their rows, so that the merchant's next key gets a new version number. */
const destroyKeks = (db: Database, { merchant_id, mode }: Scope, now: number): Promise<boolean> =>
  db.transaction(async (tx) => {
    const deletedRows = await tx.query(
      `update vault.keks set wrapped = '', destroyed_at = $3, rewrap_cursor = null,
         root_version = (select max(version) from vault.root_keys)
       where merchant_id = $1 and mode = $2 and destroyed_at is null returning version`,
      [merchant_id, mode, new Date(now)],
    );
    for (const table of ['cvvs', 'fingerprint_ids'])
      await tx.query(`delete from vault.${table} where merchant_id = $1 and mode = $2`, [
        merchant_id,
        mode,
      ]);
    await tx.query(
      `delete from vault.fingerprint_keys where merchant_id = $1 and not exists (
         select from vault.keks where keks.merchant_id = $1 and destroyed_at is null)`,
      [merchant_id],
    );
    return deletedRows.length > 0;
  });

/** Deletes a batch of cards whose key was destroyed. Returns the number deleted. */
export async function sweepDestroyed(db: Db): Promise<number> {
  const deletedRows = await db.query(
    `delete from vault.cards where (merchant_id, mode, token) in (
       select card.merchant_id, card.mode, card.token
       from vault.keks kek
       join vault.cards card on card.merchant_id = kek.merchant_id and card.mode = kek.mode
         and card.kek_version = kek.version
       where kek.destroyed_at is not null limit ${BATCH_ROWS}
     ) returning token`,
  );
  return deletedRows.length;
}
