import { withLockRetries } from '../retries.ts';
import type { Session } from '../session.ts';
import { inSession, type OnlineContext } from './context.ts';
import { BATCH, type Step } from './steps.ts';

/** Rows of one batch. A busy machine with many indexes changes a thousand a second, and holds their locks meanwhile. */
const BATCH_ROWS = 250;
/** Pause between two batches, in milliseconds, so that payments and replicas keep up. */
const PAUSE_MS = 10;
/** Batches between two reports. */
const REPORTED_EVERY = 100;

type BackfillStep = Extract<Step, { kind: 'backfill' }>;

/** The primary key of a table. */
interface Keys {
  /** Quoted names. */
  readonly columns: readonly string[];
  /** Rows of the table: an estimate; null if the database has none yet. */
  readonly rows: number | null;
}

/** Values of the primary key of one row, in the order of its columns. */
type Key = readonly string[];

const KEYS = `
  select json_agg(quote_ident(a.attname) order by k.position)::text as columns,
    (select nullif(reltuples, -1)::bigint::text from pg_class where oid = $1::regclass) as rows
  from pg_index x, unnest(x.indkey::smallint[]) with ordinality as k (number, position)
    join pg_attribute a on a.attnum = k.number
  where x.indrelid = $1::regclass and a.attrelid = x.indrelid and x.indisprimary`;

/**
 * Runs a statement for all rows of a table in the order of its primary key, a batch per transaction. The transaction also
 * stores how far it came. The session has the lock of migrations, so no batch is applied twice. A run after a crash
 * continues there.
 */
export async function backfill(
  context: OnlineContext,
  step: BackfillStep,
  number: number,
): Promise<void> {
  const { to, file, session } = context;
  const keys = await readKeys(session, step.table);
  const locking = {
    migration: file.name,
    tablesOf: async () => [step.table],
    left: 'Its earlier batches are done, and are not repeated.',
  };
  for (let batch = 1; ; batch += 1) {
    const { done, isLast } = await withLockRetries(to, locking, (limit_ms) =>
      inSession(session, (tx) => runBatch(tx, { context, step, number, keys, limit_ms })),
    );
    if (isLast) return;
    if (batch % REPORTED_EVERY === 0)
      to.report({
        event: 'migration_progress',
        migration: file.name,
        step: `rows of ${step.table}`,
        done,
        total: keys.rows,
        unit: 'rows',
      });
    await to.wait(PAUSE_MS);
  }
}

async function readKeys(session: Session, table: string): Promise<Keys> {
  const [row] = await session.query(KEYS, [table]);
  if (!row?.columns) throw new Error(`${table} has no primary key, which a backfill needs`);
  return {
    columns: JSON.parse(String(row.columns)) as Keys['columns'],
    rows: row.rows == null ? null : Number(row.rows),
  };
}

interface Batch {
  readonly context: OnlineContext;
  readonly step: BackfillStep;
  readonly number: number;
  readonly keys: Keys;
  readonly limit_ms: number;
}

/** Runs one batch and stores its last key. Returns the rows that are done, and whether no row is left. */
async function runBatch(
  tx: Session,
  { context: { to, file }, step, number, keys, limit_ms }: Batch,
): Promise<{ readonly done: number; readonly isLast: boolean }> {
  const { progress } = to.table;
  const at = [file.name, number];
  await tx.query(`set local lock_timeout = ${limit_ms}`);
  await tx.query(
    `insert into ${progress} (migration, step) values ($1, $2) on conflict do nothing`,
    at,
  );
  const [row] = await tx.query(
    `select after_key, rows::text as rows from ${progress} where migration = $1 and step = $2`,
    at,
  );
  const after = row?.after_key == null ? [] : (JSON.parse(String(row.after_key)) as Key);
  const { batch_rows = BATCH_ROWS } = to;
  const found = await tx.query(selectBatch(step.table, keys.columns, after, batch_rows), after);
  const done = Number(row?.rows) + found.length;
  if (found.length > 0) await tx.query(changeOf(step), [found.map(({ place }) => place)]);
  const last = found.at(-1)?.key ?? JSON.stringify(after);
  await tx.query(
    `update ${progress} set after_key = $3, rows = $4 where migration = $1 and step = $2`,
    [...at, last, done],
  );
  return { done, isLast: found.length < batch_rows };
}

/** SQL: locks the next rows, and returns their keys and places. The parameters are the key before them. */
export function selectBatch(
  table: string,
  columns: readonly string[],
  after: Key,
  rows: number,
): string {
  const names = columns.map((name) => `t.${name}`);
  const bounds = columns.map((_, column) => `$${column + 1}`);
  const condition = after.length > 0 ? `where (${names.join(', ')}) > (${bounds.join(', ')})` : '';
  return `select json_build_array(${names.map((name) => `${name}::text`).join(', ')})::text as key, t.ctid::text as place
    from ${table} t ${condition} order by ${names.join(', ')} limit ${rows} for no key update`;
}

/**
 * SQL: the statement for the rows at the places in $1. While they are locked, no row leaves its place. How many rows a
 * range of keys has, PostgreSQL only guesses: for a key of two columns it then reads the whole table.
 */
export const changeOf = ({ alias, sql }: BackfillStep): string =>
  sql.replaceAll(BATCH, `(${alias}.ctid = any($1::tid[]))`);
