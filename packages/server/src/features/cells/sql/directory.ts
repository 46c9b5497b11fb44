import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { DirectoryEntry } from '../../../services.ts';

/** All cells, by name. */
export const listCells = (global: Db): Promise<Row[]> =>
  global.query(
    `select c.id, c.name, c.address, c.state,
       (select count(*) from directory_merchants m where m.cell_id = c.id) as merchants
     from cells c order by c.name`,
    [],
    'list_cells',
  );

/** Names of cells that take new merchants. */
export async function listOpenCells(global: Db): Promise<string[]> {
  const rows = await global.query(
    `select name from cells where state = 'open'`,
    [],
    'list_open_cells',
  );
  return rows.map(({ name }) => name as string);
}

/** Whether the database is a cell, or has the directory of cells. False before the migrations that made the directory. */
export async function hasCells(db: Db): Promise<boolean> {
  const [table] = await db.query(`select to_regclass('cells') is not null as is_there`, []);
  if (table?.is_there !== 't') return false;
  const [row] = await db.query(
    `select exists (select from cells) or exists (select from installation_facts where name = 'cell') as found`,
    [],
  );
  return row?.found === 't';
}

export async function findCell(global: Db, name: string): Promise<Row | undefined> {
  const [row] = await global.query('select * from cells where name = $1', [name], 'find_cell');
  return row;
}

export interface NewCell {
  readonly id: string;
  readonly name: string;
  /** Sealed. */
  readonly address: string;
  readonly at: string;
}

/** Stores a cell that nobody may use yet. Does nothing if the name is taken. */
export const insertCell = (global: Db, { id, name, address, at }: NewCell): Promise<unknown> =>
  global.query(
    `insert into cells (id, name, address, state, created_at, updated_at)
     values ($1, $2, $3, 'preparing', $4, $4) on conflict (name) do nothing`,
    [id, name, address, at],
    'insert_cell',
  );

/** Opens a cell that is prepared. A draining cell stays so. */
export const openPreparedCell = (global: Db, id: string, at: string): Promise<unknown> =>
  global.query(
    `update cells set state = 'open', updated_at = $2 where id = $1 and state = 'preparing'`,
    [id, at],
    'open_cell',
  );

/** States between which operators change a cell. */
export type ServingState = 'open' | 'draining';

export const setServingState = (
  global: Db,
  id: string,
  state: ServingState,
  at: string,
): Promise<unknown> =>
  global.query(
    `update cells set state = $2, updated_at = $3 where id = $1 and state in ('open', 'draining')`,
    [id, state, at],
    'set_serving_state',
  );

/** Enters merchants of a cell. Leaves out those that the directory has. */
export const enterMerchants = (
  global: Db,
  cell_id: string,
  merchant_ids: readonly string[],
  at: string,
): Promise<unknown> =>
  global.query(
    `insert into directory_merchants (merchant_id, cell_id, created_at)
     select id, $2, $3 from unnest($1::uuid[]) t (id) on conflict do nothing`,
    [merchant_ids, cell_id, at],
    'enter_merchants',
  );

/** Enters a new merchant. Returns false if the cell is draining. */
export async function enterNewMerchant(
  global: Db,
  cell_id: string,
  merchant_id: string,
  at: string,
): Promise<boolean> {
  const rows = await global.query(
    `insert into directory_merchants (merchant_id, cell_id, created_at)
     select $1::uuid, c.id, $3::timestamptz from cells c where c.id = $2 and c.state <> 'draining'
     returning merchant_id`,
    [merchant_id, cell_id, at],
    'enter_new_merchant',
  );
  return rows.length > 0;
}

const columnsOf = (entries: readonly DirectoryEntry[]): [string[], string[]] => [
  entries.map(({ value }) => value),
  entries.map(({ merchant_id }) => merchant_id),
];

/** Enters hashes of keys. Leaves out those that the directory has. */
export const enterKeys = (
  global: Db,
  entries: readonly DirectoryEntry[],
  at: string,
): Promise<unknown> =>
  global.query(
    `insert into directory_keys (token_hash, merchant_id, created_at)
     select decode(value, 'hex'), merchant_id, $3 from unnest($1::text[], $2::uuid[]) t (value, merchant_id)
     on conflict do nothing`,
    [...columnsOf(entries), at],
    'enter_keys',
  );

/** Enters codes of payment links. Leaves out those that the directory has. */
export const enterLinks = (
  global: Db,
  entries: readonly DirectoryEntry[],
  at: string,
): Promise<unknown> =>
  global.query(
    `insert into directory_links (code, merchant_id, created_at)
     select value, merchant_id, $3 from unnest($1::text[], $2::uuid[]) t (value, merchant_id)
     on conflict do nothing`,
    [...columnsOf(entries), at],
    'enter_links',
  );

/** Kinds of entries that the directory has of a cell. */
export type EntryKind = 'merchant' | 'key' | 'link';

const SLICES: Readonly<Record<EntryKind, string>> = {
  merchant: `select id as merchant_id, id, id::text as value from merchants
    where id > $2 and $1::uuid is not null order by id limit $3`,
  key: `select merchant_id, id, encode(token_hash, 'hex') as value from merchant_tokens
    where (merchant_id, id) > ($1, $2) order by merchant_id, id limit $3`,
  link: `select merchant_id, id, code as value from payment_links
    where (merchant_id, id) > ($1, $2) order by merchant_id, id limit $3`,
};

/** A slice of what the directory must have of a cell, after a row of the slice before. */
export const readEntries = (
  cell: Db,
  kind: EntryKind,
  { merchant_id, id }: Row,
  limit: number,
): Promise<Row[]> => cell.query(SLICES[kind], [merchant_id, id, limit], `entries_of_${kind}`);

/** Merchants that are in other cells, with the names of these. */
export const findInOtherCells = (
  global: Db,
  cell_id: string,
  merchant_ids: readonly string[],
): Promise<Row[]> =>
  global.query(
    `select m.merchant_id, c.name from directory_merchants m join cells c on c.id = m.cell_id
     where m.merchant_id = any ($2::uuid[]) and m.cell_id <> $1`,
    [cell_id, merchant_ids],
    'merchants_elsewhere',
  );

const CELL_OF: Readonly<Record<EntryKind, string>> = {
  merchant: `select c.id, c.name, m.merchant_id from directory_merchants m join cells c on c.id = m.cell_id
    where m.merchant_id = $1`,
  key: `select c.id, c.name from directory_keys k
    join directory_merchants m on m.merchant_id = k.merchant_id join cells c on c.id = m.cell_id
    where k.token_hash = decode($1, 'hex')`,
  link: `select c.id, c.name from directory_links l
    join directory_merchants m on m.merchant_id = l.merchant_id join cells c on c.id = m.cell_id
    where l.code = $1`,
};

/** Cell of a merchant, of the hash of a key, or of the code of a payment link; undefined if the directory has none. */
export async function cellOf(global: Db, kind: EntryKind, value: string): Promise<Row | undefined> {
  const [row] = await global.query(CELL_OF[kind], [value], `cell_of_${kind}`, 'kept');
  return row;
}
