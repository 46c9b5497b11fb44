import { withLockRetries } from '../retries.ts';
import type { Session } from '../session.ts';
import type { OnlineContext } from './context.ts';
import { BATCH, type Step } from './steps.ts';

/** Rows of one batch. A busy machine with many indexes changes a thousand a second, and holds their locks meanwhile. */
const BATCH_ROWS = 250;
/** Pause between two batches, in milliseconds, so that payments and replicas keep up. */
const PAUSE_MS = 10;
/** Batches between two reports. */
const REPORTED_EVERY = 100;

type BackfillStep = Extract<Step, { kind: 'backfill' }>;

/** The primary key of a table: its columns, and an estimate of its rows. */
interface Keys {
  readonly columns: readonly string[];
  readonly rows: number | null;
}

const KEYS = `
  select string_agg(quote_ident(a.attname), ',' order by k.position) as columns,
    (select nullif(reltuples, -1)::bigint::text from pg_class where oid = $1::regclass) as rows
  from pg_index x, unnest(x.indkey::smallint[]) with ordinality as k (number, position)
    join pg_attribute a on a.attnum = k.number
  where x.indrelid = $1::regclass and a.attrelid = x.indrelid and x.indisprimary`;

/**
 * Runs a statement for all rows of a table in the order of its primary key, a batch per transaction. The same
 * transaction stores how far it came, so a run after a crash continues there.
 */
export async function backfill(
  context: OnlineContext,
  step: BackfillStep,
  number: number,
): Promise<void> {
  const { to, file } = context;
  const keys = await to.transaction((tx) => readKeys(tx, step.table));
  const locking = {
    migration: file.name,
    tablesOf: async () => [step.table],
    left: 'Its earlier batches are done, and are not repeated.',
  };
  for (let batch = 1; ; batch += 1) {
    const { done, isLast } = await withLockRetries(to, locking, (limit_ms) =>
      to.transaction((tx) => runBatch(tx, { context, step, number, keys, limit_ms })),
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

async function readKeys(tx: Session, table: string): Promise<Keys> {
  const [row] = await tx.query(KEYS, [table]);
  if (!row?.columns) throw new Error(`${table} has no primary key, which a backfill needs`);
  return {
    columns: String(row.columns).split(','),
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
  await tx.query(`set local statement_timeout = 0; set local lock_timeout = ${limit_ms}`);
  await tx.query(
    `insert into ${progress} (migration, step) values ($1, $2) on conflict do nothing`,
    at,
  );
  const [row] = await tx.query(
    `select after_key, rows::text as rows from ${progress} where migration = $1 and step = $2`,
    at,
  );
  const after = row?.after_key == null ? [] : (JSON.parse(String(row.after_key)) as string[]);
  const { batch_rows = BATCH_ROWS } = to;
  const through = await findEnd(tx, step.table, keys, after, batch_rows);
  const done = Number(row?.rows) + (through.length > 0 ? batch_rows : 0);
  await tx.query(withCondition(step, keys, after, through), [...after, ...through]);
  await tx.query(
    `update ${progress} set after_key = $3, rows = $4 where migration = $1 and step = $2`,
    [...at, JSON.stringify(through.length > 0 ? through : after), done],
  );
  return { done, isLast: through.length === 0 };
}

const listOf = (count: number, from: number): string =>
  Array.from({ length: count }, (_, at) => `$${from + at}`).join(', ');

const keyOf = ({ columns }: Keys, alias: string): string =>
  `(${columns.map((column) => `${alias}.${column}`).join(', ')})`;

/** The key of the batch's last row; empty if fewer rows are left. */
async function findEnd(
  tx: Session,
  table: string,
  keys: Keys,
  after: readonly string[],
  rows: number,
): Promise<string[]> {
  const beyond = after.length > 0 ? `where ${keyOf(keys, 't')} > (${listOf(after.length, 1)})` : '';
  const order = keys.columns.map((column) => `t.${column}`).join(', ');
  const [end] = await tx.query(
    `select json_build_array(${keys.columns.map((column) => `t.${column}::text`).join(', ')})::text as key
     from ${table} t ${beyond} order by ${order} offset ${rows - 1} limit 1`,
    after,
  );
  return end ? (JSON.parse(String(end.key)) as string[]) : [];
}

/** The statement with the bounds of the batch as its condition: `after` are the first parameters, `through` the next. */
function withCondition(
  { alias, sql }: BackfillStep,
  keys: Keys,
  after: readonly string[],
  through: readonly string[],
): string {
  const key = keyOf(keys, alias);
  const bounds = [
    ...(after.length > 0 ? [`${key} > (${listOf(after.length, 1)})`] : []),
    ...(through.length > 0 ? [`${key} <= (${listOf(through.length, after.length + 1)})`] : []),
  ];
  return sql.replaceAll(BATCH, `(${bounds.join(' and ') || 'true'})`);
}
