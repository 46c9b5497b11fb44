import type { Db } from '../../platform/database/db.ts';
import { readSettledDays } from './sql/blockers.ts';
import {
  holdProgress,
  readOpenLines,
  readOpenReportLines,
  reopenLines,
  reopenReportLines,
  reopenUnread,
} from './sql/open-lines.ts';

interface HandOver {
  readonly merchant_id: string;
  /** Accounts at processors of the source, each with that of the target. */
  readonly accounts: Readonly<Record<string, string>>;
  readonly at: string;
}

/**
 * Lets the target compare the lines of settlement that the source has not settled: while the merchant moved, both cells
 * left them out. The source must have its rows, and must not settle them any more. Can be repeated. Returns the number of
 * lines.
 */
export async function handOverLines(
  source: Db,
  target: Db,
  { merchant_id, accounts, at }: HandOver,
): Promise<number> {
  const lines = await readOpenLines(source, merchant_id);
  const progress = await readSettledDays(source);
  const reportLines = (await readOpenReportLines(source, merchant_id)).map((line) => ({
    ...line,
    processor_account_id: accounts[line.processor_account_id as string] ?? null,
  }));
  await target.query('begin', []);
  try {
    await holdProgress(target);
    const counts = [
      await reopenLines(target, merchant_id, lines),
      await reopenUnread(target, merchant_id, progress),
      await reopenReportLines(target, reportLines, at),
    ];
    await target.query('commit', []);
    return counts.reduce((sum, count) => sum + count, 0);
  } catch (error) {
    await target.query('rollback', []).catch(() => {});
    throw error;
  }
}
