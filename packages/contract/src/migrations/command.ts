import { describePending, renderPlan } from './describe.ts';
import type { Migration, MigrationEvent } from './migration.ts';
import { ATTEMPTS_MAX } from './retries.ts';
import { runMigrations } from './run.ts';
import { isClean, type RecordedSchema, renderDifferences, verifySchema } from './verify.ts';

export const MIGRATE_ACTIONS = ['plan', 'apply', 'verify'] as const;
export type MigrateAction = (typeof MIGRATE_ACTIONS)[number];

export interface MigrateCommand {
  readonly action: MigrateAction;
  /** The tables in a sentence, such as `The server's tables`. */
  readonly title: string;
  readonly migration: Omit<Migration, 'report'>;
  readonly recorded: () => Promise<RecordedSchema>;
  readonly print: (line: string) => void;
}

/** Reads the words that the program of the command line gives to that of a part: the action, and the attempts. */
export const readMigrateWords = ([action, attempts]: readonly string[]) => ({
  action: MIGRATE_ACTIONS.find((it) => it === action) ?? 'apply',
  attempts_max: Number(attempts) || undefined,
});

/** Runs an action of `florin migrate` for one program. Resolves with the exit code. */
export async function runMigrateCommand(command: MigrateCommand): Promise<number> {
  if (command.action === 'plan') return plan(command);
  if (command.action === 'verify') return verify(command);
  return apply(command);
}

async function plan({ title, migration, print }: MigrateCommand): Promise<number> {
  const planned = await describePending({ ...migration, report: () => {} });
  if (planned.length === 0) print(`${title} are up to date: nothing to apply.`);
  else print(`${title} lack ${planned.length} migrations. Nothing was changed.`);
  for (const line of renderPlan(planned)) print(line);
  return 0;
}

async function apply({ title, migration, print }: MigrateCommand): Promise<number> {
  let count = 0;
  const report = (event: MigrationEvent): void => {
    if (event.event === 'migration_applied') count += 1;
    print(sentenceOf(event, migration.attempts_max));
  };
  await runMigrations({ ...migration, report });
  print(`${title} are up to date (${count} migrations applied).`);
  return 0;
}

function sentenceOf(event: MigrationEvent, attempts_max = ATTEMPTS_MAX): string {
  switch (event.event) {
    case 'start_waits_for_database':
      return `The database does not answer yet (${event.fault}, attempt ${event.attempt}).`;
    case 'migration_applied':
      return event.migration;
    case 'migration_queued':
      return `${event.migration} waits for another process that migrates: ${event.holder ?? 'it has just ended'}.`;
    case 'migration_waits':
      return `${event.migration} waits for a lock of ${event.tables.join(', ')} (attempt ${event.attempt} of ${attempts_max}). Held by: ${event.holders.join('; ') || 'nobody any more'}.`;
    case 'migration_progress': {
      const total = event.total === null ? '' : ` of about ${event.total}`;
      const waits = event.waits_for ? `, waits for ${event.waits_for}` : '';
      return `${event.migration}: ${event.step}, ${event.done}${total} ${event.unit}${waits}.`;
    }
  }
}

async function verify({ title, migration, recorded, print }: MigrateCommand): Promise<number> {
  const differences = await verifySchema({ ...migration, report: () => {} }, await recorded());
  for (const line of renderDifferences(differences)) print(line);
  const clean = isClean(differences);
  print(
    clean
      ? `${title} are as this release made them.`
      : `${title} differ from what this release made. Correct them as their owner, or restore a backup; then verify again.`,
  );
  return clean ? 0 : 1;
}
