import { newId } from '@florin/dev-env/insert-unchecked.ts';
import { runConcurrently } from '@florin/dev-env/two-actors.ts';
import { findReferenceOwner } from '../../src/features/attempts/sql/reference-owner.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { type RunActors, useDescribeLock, useLockTestDatabase } from './use-locks.ts';

const database = useLockTestDatabase();
const describeLock = useDescribeLock(database);

/** Two operators give two payments the same reference. Returns the owner that the second one finds. */
const prepareReferences = (owner: string) => async (): Promise<RunActors> => {
  const reference = newId();
  const processor_account_id = newId();
  const attemptOf = (payment_demand_id: string) => ({
    ...{ merchant_id: newId(), mode: 'live', id: newId(), created_at: '2026-01-01T00:00:00Z' },
    ...{ operation: 'authorise', processor_account_id, payment_demand_id },
  });
  const [one, other] = [attemptOf(owner), attemptOf(newId())];
  await database.insertUnchecked('attempts', one, other);
  const first = async (tx: Db) => {
    await findReferenceOwner(tx, one, reference);
    await tx.query('update attempts set processor_reference = $1 where id = $2', [
      reference,
      one.id,
    ]);
  };
  const second = (tx: Db) => findReferenceOwner(tx, other, reference);
  return async (db) => (await runConcurrently(db, { first, second })).second;
};
const OWNER = newId();
describeLock(
  'reference-owner.ts gives one reference to one payment',
  prepareReferences(OWNER),
  OWNER,
);
