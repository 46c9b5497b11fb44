import { IS_REFUSED } from '@florin/contract/protocol/pending-accounts.ts';
import type { ProcessorAccountRef } from '@florin/contract/protocol/processor-accounts.ts';
import { accountKeyOf } from '../processor-accounts/account-store.ts';
import type { Db } from '../store/db.ts';
import { type ConsentDeps, lockAccount, withdrawAccount } from './accept.ts';
import { loadSnapshots, type Snapshot } from './snapshots.ts';

/** Keys of accounts that wait no more, because an operator refused what is stored of them. */
export async function findRefused(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.query<ProcessorAccountRef>(
    `select account_id, mode from vault.processor_accounts account where ${IS_REFUSED}`,
  );
  return new Set(rows.map(accountKeyOf));
}

/** Refuses what the server stored, if it is still what the operator saw. False if it has changed meanwhile. */
export const refuseSnapshot = (deps: ConsentDeps, { id, ...account }: Snapshot): Promise<boolean> =>
  deps.db.transaction(async (tx) => {
    await lockAccount(tx, account);
    return markRefused(tx, deps, { id, ...account });
  });

/** Deletes what was accepted of an account. If the server stored exactly this, it does not wait afterwards. */
export const withdrawSnapshot = (deps: ConsentDeps, snapshot: Snapshot): Promise<void> =>
  deps.db.transaction(async (tx) => {
    await lockAccount(tx, snapshot);
    await withdrawAccount(tx, snapshot);
    await markRefused(tx, deps, snapshot);
  });

async function markRefused(tx: Db, deps: ConsentDeps, { id, ...account }: Snapshot) {
  const [stored] = await loadSnapshots(tx, deps, 'stored', account);
  if (stored?.id !== id) return false;
  await tx.query(
    `insert into vault.refused_accounts (account_id, mode, merchant_id, origins, egress, secrets, refused_at)
     select account_id, mode, merchant_id, origins, egress, (
         select coalesce(jsonb_object_agg(name, extract(epoch from stored_at)), '{}') from vault.processor_secrets secret
         where secret.account_id = account.account_id and secret.mode = account.mode), $3
     from vault.processor_accounts account where account_id = $1 and mode = $2
     on conflict (account_id, mode) do update set merchant_id = excluded.merchant_id, origins = excluded.origins,
       egress = excluded.egress, secrets = excluded.secrets, refused_at = excluded.refused_at`,
    [account.account_id, account.mode, new Date(deps.clock())],
  );
  return true;
}
