import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** Refused notifications of an account to add to those before. */
export interface NewRefusals {
  readonly processor_account_id: string;
  readonly count: number;
  /** Time of the first and of the last one. */
  readonly since: string;
  readonly last_at: string;
  readonly last_reason: string;
  /** SHA-256 in hex of the last one's body. */
  readonly last_hash: string;
}

/** SQL: the account of refusals `r` has accepted a notification since. Servers write late, so readers ask again. */
const ACCEPTED_SINCE = `(exists (select from processor_notifications n
    where n.processor_account_id = r.processor_account_id and n.received_at >= r.last_at)
  or exists (select from processor_notifications n
    where n.processor_account_id = r.processor_account_id and n.repeated_at >= r.last_at))`;

/**
 * Adds refused notifications to those that no accepted one has ended. Accounts are in order of id, so that two
 * processes do not wait for each other.
 */
export async function addRefusals(db: Db, refusals: readonly NewRefusals[]): Promise<void> {
  await db.query(
    `insert into processor_account_refusals as r
       (processor_account_id, count, since, last_at, last_reason, last_hash)
     select r.* from json_populate_recordset(null::processor_account_refusals, $1::json) r
     where not ${ACCEPTED_SINCE}
     order by r.processor_account_id
     on conflict (processor_account_id) do update set
       count = excluded.count + case when ${ACCEPTED_SINCE} then 0 else r.count end,
       since = case when ${ACCEPTED_SINCE} then excluded.since else least(r.since, excluded.since) end, last_at = greatest(r.last_at, excluded.last_at),
       last_reason = excluded.last_reason, last_hash = excluded.last_hash`,
    [JSON.stringify(refusals)],
    'add_refused_notifications',
  );
}

/** Deletes the count of refused notifications of an account before an accepted one. */
export async function deleteRefusals(
  db: Db,
  processor_account_id: string,
  accepted_at: string,
): Promise<void> {
  await db.query(
    'delete from processor_account_refusals where processor_account_id = $1 and last_at <= $2',
    [processor_account_id, accepted_at],
    'delete_refused_notifications',
  );
}

/** Refused notifications by account, of accounts that have accepted none since. */
export async function selectRefusals(db: Db): Promise<ReadonlyMap<string, Row>> {
  const rows = await db.query(
    `select * from processor_account_refusals r where not ${ACCEPTED_SINCE}`,
    [],
    'refused_notifications',
  );
  return new Map(rows.map((row) => [row.processor_account_id as string, row]));
}
