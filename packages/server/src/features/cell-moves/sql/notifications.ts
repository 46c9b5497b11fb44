import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** Maximum number of notifications that a move passes on. */
const PASSED_ON_MAX = 10_000;

/** Time by which clocks of processes and databases may differ. Notifications that the cell has applied are left out anyway. */
const CLOCKS_DIFFER = `interval '5 minutes'`;

/** Notifications of accounts that arrived since a move began, by the clock of another database, and that the cell could not apply. */
export const readUnapplied = (
  cell: Db,
  account_ids: readonly string[],
  since: string,
): Promise<Row[]> =>
  cell.query(
    `select id, processor_account_id, mode, hash, body, received_at from processor_notifications
     where processor_account_id = any ($1::uuid[]) and status = 'received' and due_at is not null
       and received_at >= $2::timestamptz - ${CLOCKS_DIFFER} order by received_at limit ${PASSED_ON_MAX}`,
    [account_ids, since],
  );

/** Stores a notification of another cell, under an account of this one. Does nothing if the account has it. */
export const storePassedOn = (
  cell: Db,
  { id, mode, hash, body, received_at }: Row,
  processor_account_id: string,
  at: string,
): Promise<unknown> =>
  cell.query(
    `insert into processor_notifications
       (id, processor_account_id, mode, hash, body, due_at, received_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $6) on conflict do nothing`,
    [id, processor_account_id, mode, hash, body, at, received_at],
  );
