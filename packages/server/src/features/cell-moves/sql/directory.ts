import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** The cell of a merchant, and its move, if one has begun. */
export async function findPlace(global: Db, merchant_id: string): Promise<Row | undefined> {
  const [row] = await global.query(
    `select c.id as cell_id, c.name as cell, m.id as move_id, m.step, m.to_cell_id, t.name as target,
       m.from_cell_id, f.name as source, m.accounts, m.leased_until
     from directory_merchants d join cells c on c.id = d.cell_id
       left join directory_moves m on m.merchant_id = d.merchant_id
       left join cells t on t.id = m.to_cell_id left join cells f on f.id = m.from_cell_id
     where d.merchant_id = $1`,
    [merchant_id],
  );
  return row;
}

/** Seconds for which a command has a move, by the clock of the global database. */
export const LEASE_SECONDS = 60;

/** SQL: end of a lease that begins now. */
const LEASED_UNTIL = `statement_timestamp() + interval '${LEASE_SECONDS} seconds'`;

/** The right of one command to work on a move. */
export interface MoveLease {
  readonly merchant_id: string;
  readonly lease_id: string;
}

export interface NewMove extends MoveLease {
  readonly id: string;
  readonly from_cell_id: string;
  readonly to_cell_id: string;
  /** JSON: accounts at processors of the source, each with that of the target. */
  readonly accounts: string;
}

/**
 * Begins a move, or takes over one between the same cells whose command died. The accounts are those of the last command
 * before the copy. Returns the move's id and step; undefined while another command has it, or if it is between other cells.
 */
export async function claimMove(global: Db, move: NewMove): Promise<Row | undefined> {
  const [row] = await global.query(
    `insert into directory_moves as m
       (merchant_id, id, from_cell_id, to_cell_id, step, accounts, lease_id, leased_until, created_at, updated_at)
     values ($1, $2, $3, $4, 'stop', $5, $6, ${LEASED_UNTIL}, statement_timestamp(), statement_timestamp())
     on conflict (merchant_id) do update set
       (lease_id, leased_until, updated_at) = (excluded.lease_id, excluded.leased_until, excluded.updated_at),
       accounts = case when m.step = 'stop' then excluded.accounts else m.accounts end
     where m.leased_until <= statement_timestamp()
       and (m.from_cell_id, m.to_cell_id) = (excluded.from_cell_id, excluded.to_cell_id)
     returning m.id, m.step, m.accounts, m.created_at`,
    [move.merchant_id, move.id, move.from_cell_id, move.to_cell_id, move.accounts, move.lease_id],
  );
  return row;
}

/** Takes over this move if no command has it. Begins none: the move may have ended meanwhile. Undefined otherwise. */
export async function takeOverMove(
  global: Db,
  { merchant_id, id, lease_id }: Pick<NewMove, keyof MoveLease | 'id'>,
): Promise<Row | undefined> {
  const [row] = await global.query(
    `update directory_moves set lease_id = $3, leased_until = ${LEASED_UNTIL}, updated_at = statement_timestamp()
     where merchant_id = $1 and id = $2 and leased_until <= statement_timestamp()
     returning id, step, accounts, created_at`,
    [merchant_id, id, lease_id],
  );
  return row;
}

/** Changes a move if the command has it still. `change` is SQL. Returns false if another command has taken over. */
async function changeLeased(
  global: Db,
  { merchant_id, lease_id }: MoveLease,
  change: string,
): Promise<boolean> {
  const rows = await global.query(
    `update directory_moves set updated_at = statement_timestamp(), ${change}
     where merchant_id = $1 and lease_id = $2 returning 1`,
    [merchant_id, lease_id],
  );
  return rows.length > 0;
}

/** Extends the lease. Returns false if another command has taken over. */
export const renewLease = (global: Db, lease: MoveLease): Promise<boolean> =>
  changeLeased(global, lease, `leased_until = ${LEASED_UNTIL}`);

/** Ends the lease, so that the command can be repeated at once. */
export const endLease = (global: Db, lease: MoveLease): Promise<boolean> =>
  changeLeased(global, lease, 'leased_until = least(leased_until, statement_timestamp())');

/** Says that the target may have a copy from now on. Returns false without the lease. */
export const storeCopyStep = (global: Db, lease: MoveLease): Promise<boolean> =>
  changeLeased(global, lease, `step = 'copy'`);

/** Switches the directory to the target, in one statement with the step. Returns false without the lease. */
export async function switchCell(
  global: Db,
  { merchant_id, lease_id }: MoveLease,
): Promise<boolean> {
  const rows = await global.query(
    `with moved as (update directory_moves set step = 'remove', updated_at = statement_timestamp()
       where merchant_id = $1 and lease_id = $2 and step = 'copy' returning to_cell_id)
     update directory_merchants d set cell_id = moved.to_cell_id from moved
     where d.merchant_id = $1 returning 1`,
    [merchant_id, lease_id],
  );
  return rows.length > 0;
}

/** Ends a move: the merchant is in the cell that the directory names. Returns false without the lease. */
export async function deleteMove(
  global: Db,
  { merchant_id, lease_id }: MoveLease,
): Promise<boolean> {
  const rows = await global.query(
    'delete from directory_moves where merchant_id = $1 and lease_id = $2 returning 1',
    [merchant_id, lease_id],
  );
  return rows.length > 0;
}
