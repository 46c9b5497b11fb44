import type { Db } from '../../../platform/database/db.ts';
import type { BothTransactions } from '../../../platform/database/in-both.ts';

/**
 * Merges the pending account of an address into the account of the same person: invitations, their
 * links, and log entries. Does nothing if the account is no longer pending. Run in a transaction.
 */
export async function adoptWaitingAccount(
  { cell, global }: BothTransactions,
  {
    email,
    account_id,
    at,
  }: { readonly email: string; readonly account_id: string; readonly at: string },
): Promise<void> {
  const [waitingAccount] = await global.query(
    `select id from accounts where lower(email) = lower($1) and account_status = 'pending' and id <> $2
     for update`,
    [email, account_id],
    'lock_waiting_account',
  );
  if (!waitingAccount) return;
  const waiting_id = waitingAccount.id as string;
  const moveColumn = (tx: Db, sql: string, name: string, ...values: readonly string[]) =>
    tx.query(sql, [waiting_id, ...values], name);
  // An account has one membership per merchant. A member needs no second invitation.
  await moveColumn(
    cell,
    `update memberships t set removed_at = $3, updated_at = $3, permissions = '[]'
     where t.account_id = $1 and t.removed_at is null and exists (select from memberships o
       where o.merchant_id = t.merchant_id and o.account_id = $2 and o.removed_at is null)`,
    'end_double_invitations',
    account_id,
    at,
  );
  await moveColumn(
    cell,
    'update memberships set account_id = $2 where account_id = $1',
    'move_memberships',
    account_id,
  );
  await moveColumn(
    global,
    `delete from account_links where account_id = $1 and purpose <> 'invitation'`,
    'end_waiting_links',
  );
  await moveColumn(
    global,
    'update account_links set account_id = $2 where account_id = $1',
    'move_links',
    account_id,
  );
  await moveColumn(
    cell,
    'update audit_entries set account_id = $2 where account_id = $1',
    'move_audit',
    account_id,
  );
  for (const tx of new Set([cell, global]))
    await moveColumn(tx, 'delete from accounts where id = $1', 'end_waiting_account');
}
