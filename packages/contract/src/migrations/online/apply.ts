import { headerOf } from '../header.ts';
import type { Migration } from '../migration.ts';
import { type MigrationFile, MigrationRefusal, planOf } from '../plan.ts';
import { inTurn, withLockRetries } from '../retries.ts';
import { readApplied, takeTurnOnConnection } from '../turn.ts';
import { backfill } from './backfill.ts';
import { buildIndex } from './build-index.ts';
import { inSession, type OnlineContext, patient } from './context.ts';
import { type Step, stepsOf } from './steps.ts';

/** Whether a migration runs outside of transactions. */
export const isOnline = ({ sql }: MigrationFile): boolean => headerOf(sql)?.is_online === true;

/** Limit of one wait of a step that blocks nobody, in milliseconds. */
const LONG_WAIT_MS = 30 * 60_000;

/**
 * Applies a migration statement by statement while others read and write. After a crash, the next run continues. Returns
 * false if another process has applied it. Throws `MigrationRefusal` behind a pooler.
 */
export async function applyOnline(to: Migration, file: MigrationFile): Promise<boolean> {
  const { connected, table, history } = to;
  if (!connected)
    throw new MigrationRefusal(
      `Migration ${file.name} needs a connection of its own, and this address leads to PgBouncer. Run "npm run florin -- migrate" with the address of PostgreSQL itself.`,
    );
  return inTurn(to, file.name, () =>
    connected(async (session) => {
      await takeTurnOnConnection(session, table);
      const { pending } = planOf(await readApplied(session, table), history);
      if (!pending.some(({ name }) => name === file.name)) return false;
      await runSteps({ to, file, session });
      return true;
    }),
  );
}

async function runSteps(context: OnlineContext): Promise<void> {
  const { to, file, session } = context;
  const { progress, prepare, add } = to.table;
  await session.query(prepare);
  await session.query(`create table if not exists ${progress} (
    migration text, step integer, after_key text, rows bigint not null default 0, primary key (migration, step))`);
  await session.query(`set lock_timeout = ${LONG_WAIT_MS}`);
  for (const [number, step] of stepsOf(file.name, file.sql).entries())
    await runStep(context, step, number);
  await inSession(session, async (tx) => {
    await tx.query(add, [file.name, file.checksum, file.phase ?? null]);
    await tx.query(`drop table ${progress}`);
  });
}

function runStep(context: OnlineContext, step: Step, number: number): Promise<void> {
  if (step.kind === 'build_index') return buildIndex(context, step);
  if (step.kind === 'backfill') return backfill(context, step, number);
  return runRepeated(context, step);
}

const runRepeated = ({ to, file, session }: OnlineContext, step: Step): Promise<void> =>
  withLockRetries(
    patient(to),
    {
      migration: file.name,
      tablesOf: async () => ('table' in step ? [step.table] : []),
      left: 'Its earlier steps are done, and are not repeated.',
    },
    async () => {
      await session.query(step.sql);
    },
  );
