import type { Db } from '../../../platform/database/db.ts';

/** Time after the last renewal at which a run counts as dead, by the clock of the database. */
export const RUN_LEASE_S = 60;

/** A process whose run learns. */
export interface RunHolder {
  readonly token: string;
  readonly process: string;
  /** ISO 8601. */
  readonly begun_at: string;
}

/** SQL: whether the run of the stored fact has not renewed its lease. */
const IS_EXPIRED = `(installation_facts.value::json ->> 'seen_at')::timestamptz
  < statement_timestamp() - interval '${RUN_LEASE_S} seconds'`;

/** Stores the holder unless another one is alive. Returns whether it is stored. */
export async function storeRunHolder(
  db: Db,
  { token, process, begun_at }: RunHolder,
): Promise<boolean> {
  const rows = await db.query(
    `insert into installation_facts (name, value)
     values ('restore_run', json_build_object('token', $1::text, 'process', $2::text, 'begun_at', $3::text,
       'seen_at', statement_timestamp())::text)
     on conflict (name) do update set value = excluded.value
     where installation_facts.value::json ->> 'token' = $1 or ${IS_EXPIRED}
     returning name`,
    [token, process, begun_at],
  );
  return rows.length > 0;
}

export const deleteRunHolder = (db: Db, { token }: RunHolder): Promise<unknown> =>
  db.query(
    `delete from installation_facts where name = 'restore_run' and value::json ->> 'token' = $1`,
    [token],
  );

/** Whether the installation is still closed after this restore. Waits for a transaction that opens it. */
export async function isClosedFor(db: Db, restored_to: string): Promise<boolean> {
  const rows = await db.query(
    `select from installation_facts where name = 'restored' and value = $1 for share`,
    [restored_to],
  );
  return rows.length > 0;
}

export async function hasLiveRun(db: Db): Promise<boolean> {
  const rows = await db.query(
    `select from installation_facts where name = 'restore_run' and not ${IS_EXPIRED}`,
    [],
  );
  return rows.length > 0;
}
