import { withClient } from '@florin/cli/database/client.ts';
import type pg from 'pg';

/** Tables whose rows an upgrade must keep, with the condition that a row is finished and never changes again. */
const KEPT: Readonly<Record<string, string>> = {
  payment_demands: "status in ('succeeded', 'failed', 'canceled')",
  attempts: "status not in ('sending', 'unknown', 'reversing') and due_at is null",
  events: 'true',
  ledger_transfers: 'true',
};

/** Differences of one table to list. */
const LISTED_MAX = 5;

/** Copies of rows as they were at several moments of an upgrade. */
export interface NotedRows {
  /** Copies all finished rows that were not noted before. */
  note(): Promise<void>;
  /** Compares each copy by its id with the row of today, field by field. Returns a sentence for each difference. */
  compare(): Promise<NotedComparison>;
}

export interface NotedComparison {
  /** Compared rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly differences: readonly string[];
}

/** Notes rows in a schema of its own, which no migration touches. */
export function createNotedRows(adminUrl: string): NotedRows {
  let count = 0;
  return {
    note: () =>
      withClient(adminUrl, async (client) => {
        await client.query('create schema if not exists noted');
        for (const [table, condition] of Object.entries(KEPT))
          await noteTable(client, { table, condition, count });
        count += 1;
      }),
    compare: () =>
      withClient(adminUrl, async (client) => {
        const rows: Record<string, number> = {};
        const differences: string[] = [];
        for (const table of Object.keys(KEPT)) {
          rows[table] = 0;
          for (let note = 0; note < count; note += 1)
            rows[table] += await compareTable(client, `${table}_${note}`, table, differences);
        }
        return { rows, differences };
      }),
  };
}

interface Note {
  readonly table: string;
  readonly condition: string;
  /** Earlier notes. */
  readonly count: number;
}

async function noteTable(client: pg.Client, { table, condition, count }: Note): Promise<void> {
  const isNew = Array.from(
    { length: count },
    (_, note) => `and not exists (select from noted.${table}_${note} n where n.id = t.id)`,
  );
  await client.query(
    `create unlogged table noted.${table}_${count} as select * from public.${table} t where ${condition} ${isNew.join(' ')}`,
  );
  await client.query(
    `create index on noted.${table}_${count} (id); analyze noted.${table}_${count}`,
  );
}

const COLUMNS = `select attname::text as name from pg_attribute
  where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`;

async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(COLUMNS, [table]);
  return rows.map(({ name }) => name);
}

/** Adds the differences of one copy, and returns how many rows were compared. */
async function compareTable(
  client: pg.Client,
  note: string,
  table: string,
  differences: string[],
): Promise<number> {
  const before = await columnsOf(client, `noted.${note}`);
  const after = new Set(await columnsOf(client, `public.${table}`));
  const lost = before.filter((name) => !after.has(name));
  if (lost.length > 0) differences.push(`${table} has lost the columns ${lost.join(', ')}`);
  const changed = before
    .filter((name) => after.has(name))
    .map((name) => `case when n.${name}::text is distinct from t.${name}::text then '${name}' end`);
  const { rows } = await client.query<Difference>(
    `select * from (select n.id::text as id, t.id is null as is_missing,
        concat_ws(', ', ${changed.join(', ')}) as changed
      from noted.${note} n left join public.${table} t on t.merchant_id = n.merchant_id and t.id = n.id) compared
     where is_missing or changed <> ''`,
  );
  differences.push(...rows.slice(0, LISTED_MAX).map((row) => describe(table, row)));
  if (rows.length > LISTED_MAX)
    differences.push(`${table}: ${rows.length - LISTED_MAX} more rows are missing or different`);
  const counted = await client.query<{ count: string }>(`select count(*) from noted.${note}`);
  return Number(counted.rows[0]?.count);
}

interface Difference {
  readonly id: string;
  readonly is_missing: boolean;
  /** Names of columns. */
  readonly changed: string;
}

const describe = (table: string, { id, is_missing, changed }: Difference): string =>
  is_missing ? `${table} ${id} is missing` : `${table} ${id} has other values of ${changed}`;
