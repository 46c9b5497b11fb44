import { findOpenLogin } from '@florin/contract/protocol/open-login.ts';
import type { ProcessorAccountRef } from '@florin/contract/protocol/processor-accounts.ts';
import type { Clock } from '../kernel/clock.ts';
import { badRequest } from '../kernel/errors.ts';
import type { OpenSecretDeps } from '../processor-accounts/open-secret.ts';
import type { Database, Db } from '../store/db.ts';
import { loadSnapshots, type Snapshot } from './snapshots.ts';

export interface ConsentDeps extends OpenSecretDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** Accounts as stored and as accepted, each with an id. */
export async function loadConsent(deps: ConsentDeps) {
  return {
    stored: await loadSnapshots(deps.db, deps, 'stored'),
    accepted: await loadSnapshots(deps.db, deps, 'accepted'),
  };
}

/** Throws `bad_request` if a message could leave with a login or secret that the rules do not name. */
export function requireBoundLogins({ account_id, egress }: Snapshot): void {
  if (egress === null)
    throw badRequest(
      `The account ${account_id} has no rules, so a server could send its key to any path: the adapter must declare "egress".`,
    );
  for (const rule of egress) {
    const fault = findOpenLogin(rule);
    if (fault === undefined) continue;
    const target = `${rule.method} ${rule.origin}${rule.path}`;
    throw badRequest(`The rule of ${target} ${fault}, so a server could send another login.`);
  }
}

/** Copies what the server stored, if it is still what the operator saw. False if it has changed meanwhile. */
export const acceptSnapshot = (deps: ConsentDeps, { id, ...account }: Snapshot): Promise<boolean> =>
  deps.db.transaction(async (tx) => {
    await lockAccount(tx, account);
    const [current] = await loadSnapshots(tx, deps, 'stored', account);
    if (current?.id !== id) return false;
    await withdrawAccount(tx, account);
    const values = [account.account_id, account.mode];
    await tx.query(
      'delete from vault.refused_accounts where account_id = $1 and mode = $2',
      values,
    );
    await tx.query(
      `insert into vault.accepted_accounts (account_id, mode, merchant_id, origins, egress, accepted_at)
       select account_id, mode, merchant_id, origins, egress, $3 from vault.processor_accounts
       where account_id = $1 and mode = $2`,
      [...values, new Date(deps.clock())],
    );
    await tx.query(
      `insert into vault.accepted_secrets (account_id, mode, name, root_version, wrapped, stored_at)
       select account_id, mode, name, root_version, wrapped, stored_at from vault.processor_secrets
       where account_id = $1 and mode = $2`,
      values,
    );
    return true;
  });

/** Changes of an account update this row first, so they wait. */
export const lockAccount = (tx: Db, { account_id, mode }: ProcessorAccountRef): Promise<unknown> =>
  tx.query(
    'select from vault.processor_accounts where account_id = $1 and mode = $2 for no key update',
    [account_id, mode],
  );

/** Deletes what was accepted of an account. No card and no secret of it leaves any more. */
export const withdrawAccount = (db: Db, { account_id, mode }: ProcessorAccountRef) =>
  db.query('delete from vault.accepted_accounts where account_id = $1 and mode = $2', [
    account_id,
    mode,
  ]);
