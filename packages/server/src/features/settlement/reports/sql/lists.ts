import type { Db } from '../../../../platform/database/db.ts';
import type { Row } from '../../../../platform/database/row.ts';
import type { ReportClaim } from './reports.ts';

/** Begins the lists of accounts that have none. The first list begins with the account. */
export async function ensureLists(
  db: Db,
  account_ids: readonly string[],
  mode: string,
  now: string,
): Promise<void> {
  await db.query(
    `with new_lists as materialized (
       select id, $2::text as mode, created_at, $3::timestamptz as due_at from processor_accounts a
       where id = any ($1::uuid[])
         and not exists (select from processor_report_lists l where l.processor_account_id = a.id))
     insert into processor_report_lists (processor_account_id, mode, listed_until, due_at)
     select * from new_lists
     on conflict do nothing`,
    [account_ids, mode, now],
    'ensure_report_lists',
  );
}

/** Claims due lists of a mode until the end of a lease, as `claimReports` does. */
export const claimLists = (
  db: Db,
  { mode, now, lease_until, limit }: ReportClaim,
): Promise<Row[]> =>
  db.query(
    `update processor_report_lists l set due_at = $3
     where l.due_at <= $2 and l.mode = $1 and l.processor_account_id in (
       select processor_account_id from processor_report_lists where mode = $1 and due_at <= $2
       order by due_at limit $4)
     returning l.*`,
    [mode, now, lease_until, limit],
    'claim_report_lists',
    'kept',
  );

/** Stores the result of a list. */
export async function updateList(
  db: Db,
  processor_account_id: string,
  change: Readonly<Partial<Record<'listed_until' | 'failure' | 'due_at', string | null>>>,
): Promise<void> {
  const set = Object.entries(change);
  await db.query(
    `update processor_report_lists set ${set.map(([name], at) => `${name} = $${at + 2}`).join(', ')}
     where processor_account_id = $1`,
    [processor_account_id, ...set.map(([, value]) => value)],
  );
}

/** Lets an account be asked for new reports at once. */
export const makeListDue = (db: Db, processor_account_id: string, now: string): Promise<void> =>
  updateList(db, processor_account_id, { due_at: now });

/** Lists that fail of accounts that are not removed; `processor_account_id` null means of all accounts. */
export const listFailingLists = (
  db: Db,
  processor_account_id: string | null,
  limit: number,
): Promise<Row[]> =>
  db.query(
    `select a.name as account, l.mode, l.failure, l.due_at
     from processor_report_lists l join processor_accounts a on a.id = l.processor_account_id
     where l.failure is not null and a.status <> 'removed' and ($1::uuid is null or a.id = $1)
     order by a.id limit $2`,
    [processor_account_id, limit],
    'failing_report_lists',
  );
