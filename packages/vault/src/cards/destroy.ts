import type { Actor, Audit } from '../audit/audit.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import type { Scope } from '../kernel/scope.ts';
import type { Fingerprints } from '../keys/fingerprints.ts';
import type { Keks } from '../keys/keks.ts';
import type { Database, Db } from '../store/db.ts';
import type { Tombstones } from '../tombstones/tombstones.ts';
import { deleteCard, findCard } from './card-store.ts';
import { destroyKeks, findKekVersion } from './destroy-keks.ts';

const BATCH_ROWS = 5_000;

export interface DestroyDeps {
  readonly db: Database;
  readonly keks: Keks;
  readonly fingerprints: Fingerprints;
  readonly audit: Audit;
  readonly tombstones: Pick<Tombstones, 'add'>;
}

/** The parts that the destruction of a merchant uses. */
interface DestroyMerchantDeps extends Pick<DestroyDeps, 'db' | 'tombstones'> {
  readonly keks: Pick<Keks, 'clear'>;
  readonly fingerprints: Pick<Fingerprints, 'clear'>;
  readonly audit: Pick<Audit, 'record'>;
}

/**
 * Destroys a card with its data key. A tombstone outside of the database keeps it destroyed after a restore. Throws
 * `unknown_token` if the merchant has no such card.
 */
export async function destroyCard(
  { db, audit, tombstones }: DestroyDeps,
  scope: Scope,
  token: string,
  actor: Actor,
): Promise<void> {
  const isStored = (await findCard(db, scope, token)) !== undefined;
  if (isStored) await tombstones.add({ kind: 'card', ...scope, token });
  if (isStored) await deleteCard(db, scope, token);
  const outcome = isStored ? 'destroyed' : 'unknown_token';
  await audit.record({ actor, verb: 'destroy_card', ...scope, token, outcome });
  if (!isStored) throw unknownCard();
}

export const unknownCard = (): VaultRefusal =>
  new VaultRefusal('unknown_token', 'card_pan_token is not known.');

/**
 * Destroys all cards of a merchant in one mode by destroying their key in one statement. Then deletes the
 * rows, which can no longer be decrypted. Returns the number of cards. After a crash, the sweeper deletes the
 * remaining rows.
 */
export async function destroyMerchant(
  deps: DestroyMerchantDeps,
  scope: Scope,
  now: number,
  actor: Actor,
): Promise<number> {
  const { db, keks, fingerprints, audit, tombstones } = deps;
  const version = await findKekVersion(db, scope);
  if (version !== undefined) await tombstones.add({ kind: 'merchant', ...scope, version });
  // The sweeper may have applied the tombstone already: then the keys are destroyed, as they should be.
  const isDestroyed = (await destroyKeks(db, scope, now)) || version !== undefined;
  keks.clear();
  fingerprints.clear();
  const outcome = isDestroyed ? 'destroyed' : 'unknown_merchant';
  await audit.record({ actor, verb: 'destroy_merchant', ...scope, outcome });
  if (!isDestroyed) throw unknownMerchant();
  let deletedCount = 0;
  for (let count = BATCH_ROWS; count === BATCH_ROWS; deletedCount += count) {
    count = await sweepDestroyed(db);
  }
  return deletedCount;
}

export const unknownMerchant = (): VaultRefusal =>
  new VaultRefusal('bad_request', 'This merchant has no key in this mode.');

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
