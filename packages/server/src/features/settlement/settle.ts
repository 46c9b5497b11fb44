import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros, microsOf } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { needsSeveralSteps } from '../ledger/sql/balances.ts';
import { appendSettlements } from './append-settlements.ts';
import { dayOf, endOfDay } from './days.ts';
import { compareLines, dayAfter } from './decide.ts';
import { recordException } from './exceptions.ts';
import { checkNextSlice } from './missing.ts';
import { payOut } from './pay-out.ts';
import { fileSourceOf, readPart } from './read-file.ts';
import {
  fileProgressOf,
  linesToCompare,
  lockProgress,
  moveProgress,
  recordOutcomes,
  removeRequestedLines,
} from './sql.ts';

/** Maximum number of lines that one step compares. */
const COMPARED_MAX = 500;

/**
 * Runs the next step of settling finished days with a mode's processor, oldest day first: reads the
 * file, compares it, and pays out. Returns whether there may be more.
 */
export async function settleDue(services: Services, mode: 'live' | 'sandbox'): Promise<boolean> {
  const processor = services.processorOf(mode);
  if (!processor) return false;
  const now = services.clock.now();
  const source = { processor: processor.metadata.name, mode };
  const times = { today: dayOf(now), now: instantText(now) };
  const progress = await fileProgressOf(services.db, source, times);
  const isDue =
    now >= endOfDay(progress.day as string) && now >= microsOf(progress.due_at as string);
  if (!isDue) return false;
  if (progress.part !== null) return readPart(services, processor, progress);
  return services.db.transaction(async (tx) => {
    const isOurs = await lockProgress(tx, progress);
    return isOurs && (await settleStep(services, tx, progress, services.clock.now()));
  });
}

/** Runs one step. Each step is a transaction, so that a crash loses no progress. */
async function settleStep(
  services: Services,
  tx: Db,
  progress: Row,
  now: Micros,
): Promise<boolean> {
  const day = progress.day as string;
  const hasMoreWork =
    (await compareNext(services, tx, progress, now)) ||
    (await checkNextSlice(services, tx, progress, now));
  if (hasMoreWork) return true;
  if (await needsSeveralSteps(tx)) return false;
  if (await payOut(services, tx, progress, now)) return true;
  const nextDay = dayAfter(day);
  await moveProgress(tx, progress, {
    day: nextDay,
    part: 1,
    due_at: instantText(endOfDay(nextDay)),
  });
  services.logger.info(fileSourceOf(progress), 'settlement day finished');
  return true;
}

/** Compares the next lines of the file with attempts and transfers. */
async function compareNext(
  services: Services,
  tx: Db,
  progress: Row,
  now: Micros,
): Promise<boolean> {
  const lines = await linesToCompare(tx, progress, COMPARED_MAX);
  if (lines.length === 0) return false;
  const changes = compareLines(lines, progress, now);
  await appendSettlements(services, tx, changes.transfers);
  await recordException(services, tx, progress, changes.exceptions, now);
  await removeRequestedLines(tx, changes.replacing);
  await recordOutcomes(tx, services.catalog, progress, changes.lines);
  return true;
}
