import { dryRunPathOf } from '@florin/contract/protocol/vault-admin.ts';
import { badRequest } from '../kernel/errors.ts';
import { SCAN_TIMEOUT_MS } from '../rotation/kek-schedule.ts';
import type { ReportProgress } from '../rotation/progress.ts';
import type { Database, Db } from '../store/db.ts';
import type { Command } from './command.ts';
import type { Input } from './input.ts';

/** Reports what a command would change. Throws `VaultRefusal` where the command would refuse. */
type Preview = (db: Db, input: Input, report: ReportProgress) => Promise<void>;

/** A command, and what it would change. Both read the input and decide by the same functions. */
export interface TriableCommand {
  readonly run: Command;
  readonly preview: Preview;
}

/** Each command at its path, and its dry run at a path of its own. */
export const withDryRuns = (
  db: Database,
  commands: Readonly<Record<string, TriableCommand>>,
): Record<string, Command> =>
  Object.fromEntries(
    Object.entries(commands).flatMap(([path, { run, preview }]) => [
      [path, refuseMember(path, run)],
      [dryRunPathOf(path), toDryRun(db, preview)],
    ]),
  );

/** Runs a preview in a transaction in which PostgreSQL refuses every write. */
const toDryRun =
  (db: Database, preview: Preview): Command =>
  async (input, report) => {
    await db.transaction(
      async (tx) => {
        await tx.query('set transaction isolation level repeatable read, read only');
        await preview(tx, input, (sentence) => report(sentence));
      },
      { statement_timeout_ms: SCAN_TIMEOUT_MS },
    );
    report('Nothing was changed.');
  };

/** Refuses a member that the command would ignore, because the sender expects that nothing changes. */
const refuseMember =
  (path: string, run: Command): Command =>
  async (input, ...call) => {
    if (input.dry_run !== undefined)
      throw badRequest(
        `dry_run is not known here. Nothing was changed: use ${dryRunPathOf(path)}.`,
      );
    await run(input, ...call);
  };
