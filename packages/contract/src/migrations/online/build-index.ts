import { describeHolder, HOLDER_COLUMNS } from '../locks.ts';
import type { Migration } from '../migration.ts';
import { withLockRetries } from '../retries.ts';
import type { Session } from '../session.ts';
import { type OnlineContext, patient } from './context.ts';
import type { Step } from './steps.ts';

/** Milliseconds between two looks whether a long step is over, and looks between two reports. */
const LOOK_MS = 200;
const LOOKS_PER_REPORT = 25;

type IndexStep = Extract<Step, { kind: 'build_index' }>;

const FOUND = (schema: string): string => `
  select format('%I.%I', n.nspname, c.relname) as name, x.indisvalid::text as valid
  from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = ${schema}
    join pg_index x on x.indexrelid = c.oid
  where c.relname = $1`;

/** Builds an index while others write. A valid one is kept, and what an interrupted build left is dropped first. */
export const buildIndex = (context: OnlineContext, step: IndexStep): Promise<void> =>
  withLockRetries(
    patient(context.to),
    {
      migration: context.file.name,
      tablesOf: async () => [step.table],
      left: 'Its earlier steps are done, and are not repeated.',
    },
    () => buildOnce(context, step),
  );

async function buildOnce(context: OnlineContext, step: IndexStep): Promise<void> {
  const { session, to } = context;
  const [found] = await session.query(FOUND(to.table.schema), [step.index.toLowerCase()]);
  if (found?.valid === 'true') return;
  if (found) await session.query(`drop index concurrently ${found.name}`);
  await whileReporting(context, step, session.query(step.sql));
}

/** Waits for a statement, and reports how far it is. */
async function whileReporting(
  { to, file }: OnlineContext,
  step: IndexStep,
  statement: Promise<unknown>,
): Promise<void> {
  let isOver = false;
  const done = statement.finally(() => {
    isOver = true;
  });
  for (let look = 1; !isOver; look += 1) {
    await Promise.race([done, to.wait(LOOK_MS)]);
    if (look % LOOKS_PER_REPORT === 0) await reportProgress(to, file.name, step);
  }
  await done;
}

async function reportProgress(to: Migration, migration: string, { index, table }: IndexStep) {
  const progress = await to.transaction((tx) => readProgress(tx, table)).catch(() => undefined);
  if (progress)
    to.report({ event: 'migration_progress', migration, step: `index ${index}`, ...progress });
}

const PROGRESS = `
  select p.phase, p.blocks_done::text as done, p.blocks_total::text as total, ${HOLDER_COLUMNS}
  from pg_stat_progress_create_index p left join pg_stat_activity a on a.pid = p.current_locker_pid
  where p.relid = $1::regclass`;

async function readProgress(tx: Session, table: string) {
  const [row] = await tx.query(PROGRESS, [table]);
  if (!row) return undefined;
  return {
    done: Number(row.done),
    total: Number(row.total),
    unit: 'blocks' as const,
    ...(row.pid != null && { waits_for: describeHolder(row) }),
  };
}
