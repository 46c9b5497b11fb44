import { headerOf, type Phase } from './header.ts';
import type { LockMode } from './lock-modes.ts';
import { locksOf, type TableLock } from './locks.ts';
import type { Migration } from './migration.ts';
import { type MigrationFile, planOf } from './plan.ts';
import type { Session } from './session.ts';
import { shortened, statementsIn } from './statements.ts';
import { readApplied } from './turn.ts';

/** A table that a pending migration locks. */
interface PlannedLock extends TableLock {
  /** An estimate; null if the database has none yet. */
  readonly rows: number | null;
  readonly size: string;
}

/** A pending migration, for people. */
export interface PlannedMigration {
  readonly name: string;
  readonly phase: Phase | undefined;
  readonly is_online: boolean;
  readonly locks: readonly PlannedLock[];
  readonly statements: readonly string[];
}

/**
 * Reads what the pending migrations would lock and do. Changes nothing. Throws `MigrationRefusal` if the database is
 * newer than the program, or applied other contents.
 */
export const describePending = (to: Migration): Promise<PlannedMigration[]> =>
  to.transaction(async (tx) => {
    await tx.query('set transaction read only');
    const { pending } = planOf(await readApplied(tx, to.table), to.history);
    const planned: PlannedMigration[] = [];
    for (const file of pending) planned.push(await describe(tx, to, file));
    return planned;
  });

async function describe(tx: Session, { table }: Migration, file: MigrationFile) {
  const locks: PlannedLock[] = [];
  for (const lock of await locksOf(tx, table.schema, file.sql))
    locks.push({ ...lock, ...(await sizeOf(tx, lock.table)) });
  return {
    name: file.name,
    phase: file.phase,
    is_online: headerOf(file.sql)?.is_online === true,
    locks,
    statements: statementsIn(file.sql),
  };
}

const SIZE = `select nullif(reltuples, -1)::bigint::text as rows, pg_size_pretty(pg_total_relation_size(oid)) as size
  from pg_class where oid = $1::regclass`;

async function sizeOf(tx: Session, table: string): Promise<Pick<PlannedLock, 'rows' | 'size'>> {
  const [row] = await tx.query(SIZE, [table]);
  return { rows: row?.rows == null ? null : Number(row.rows), size: String(row?.size) };
}

const WAITING: Readonly<Record<LockMode, string>> = {
  'access exclusive': 'reads and writes',
  'share row exclusive': 'writes',
  share: 'writes',
};
const STATEMENTS_MAX = 8;
const STATEMENT_CHARS = 110;

/** The plan as lines of text, one migration after the other. */
export function renderPlan(planned: readonly PlannedMigration[]): string[] {
  return planned.flatMap(({ name, phase, is_online, locks, statements }) => [
    `${name} (${[phase ?? 'unmarked', ...(is_online ? ['online'] : [])].join(', ')})`,
    ...(locks.length > 0 ? locks.map(renderLock) : ['  locks no table that exists']),
    ...statements.slice(0, STATEMENTS_MAX).map((it) => `  - ${shortened(it, STATEMENT_CHARS)}`),
    ...(statements.length > STATEMENTS_MAX
      ? [`  - and ${statements.length - STATEMENTS_MAX} more statements`]
      : []),
  ]);
}

const renderLock = ({ table, mode, rows, size }: PlannedLock): string => {
  const count = rows === null ? 'rows not counted yet' : `about ${rows} rows`;
  return `  ${WAITING[mode]} of ${table} wait (${count}, ${size})`;
};
