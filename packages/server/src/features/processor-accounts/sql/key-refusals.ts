import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** Messages with a refused key to add to those before. */
export interface NewKeyRefusals {
  readonly processor_account_id: string;
  readonly count: number;
  /** Time of the first and of the last one. */
  readonly since: string;
  readonly last_at: string;
  /** HTTP status of the last answer. */
  readonly last_status: number;
  /** The processor's own code; null if the status says it. */
  readonly last_code: string | null;
}

/** Whether a refusal came after the account's last accepted check. Servers store their counts late. */
const isNews = (refusal: string): string =>
  `(a.checked_at is null or a.check_failure is not null or a.checked_at < ${refusal}.last_at)`;

/** Adds refusals, unless the account's key was accepted by a later check. */
export async function addKeyRefusals(db: Db, refusals: NewKeyRefusals): Promise<void> {
  const { processor_account_id, count, since, last_at, last_status, last_code } = refusals;
  await db.query(
    `with news as materialized (select v.* from (values ($1::uuid, $2::bigint, $3::timestamptz, $4::timestamptz, $5::integer, $6::text))
       v (id, count, since, last_at, last_status, last_code)
     join processor_accounts a on a.id = v.id where ${isNews('v')})
     insert into processor_account_key_refusals as r
       (processor_account_id, count, since, last_at, last_status, last_code)
     select * from news
     on conflict (processor_account_id) do update set count = r.count + excluded.count,
       since = least(r.since, excluded.since), last_at = greatest(r.last_at, excluded.last_at),
       last_status = excluded.last_status, last_code = excluded.last_code`,
    [processor_account_id, count, since, last_at, last_status, last_code],
    'add_key_refusals',
  );
}

/** Deletes the notice of an account unless a later message was refused. */
export async function deleteKeyRefusals(
  db: Db,
  processor_account_id: string,
  accepted_at: string,
): Promise<void> {
  await db.query(
    'delete from processor_account_key_refusals where processor_account_id = $1 and last_at <= $2',
    [processor_account_id, accepted_at],
    'delete_key_refusals',
  );
}

/** Notices by account, longest first. Removed accounts have none. */
export async function selectKeyRefusals(db: Db): Promise<ReadonlyMap<string, Row>> {
  const rows = await db.query(
    `select r.*, a.name, a.mode from processor_account_key_refusals r
     join processor_accounts a on a.id = r.processor_account_id
     where a.status <> 'removed' and ${isNews('r')}
     order by r.since, a.id`,
    [],
    'key_refusals',
  );
  return new Map(rows.map((row) => [row.processor_account_id as string, row]));
}
