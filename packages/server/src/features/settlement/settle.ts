import { instantText, type Micros, microsOf } from '../../kernel/clock.ts';
import type { Db } from '../../store/db.ts';
import { writeEvents } from '../../store/events.ts';
import { appendTransfers } from '../../store/ledger.ts';
import type { Row } from '../../store/row.ts';
import { insertRows } from '../../store/rows.ts';
import {
  linesToCompare,
  lockProgress,
  moveProgress,
  progressOf,
  recordOutcomes,
  unsettled,
} from '../../store/settlements.ts';
import type { Services } from '../services.ts';
import { eventAbout } from '../snapshot.ts';
import { dayOf, endOf } from './days.ts';
import { compareLines, dayAfter, missingInFile, settledStretch } from './decide.ts';
import { payOut } from './pay-out.ts';
import { readPart, sourceOf } from './read-file.ts';

/** Lines, or transfers, that one step compares. */
const COMPARED_MAX = 500;

/**
 * Does the next step of settling the days that are over at the processor of a mode, oldest first: reads its file,
 * compares it, and pays out. Returns whether there may be more.
 */
export async function settleDue(services: Services, mode: 'live' | 'sandbox'): Promise<boolean> {
  const processor = services.processorOf(mode);
  if (!processor) return false;
  const now = services.clock.now();
  const source = { processor: processor.metadata.name, mode };
  const times = { today: dayOf(now), now: instantText(now) };
  const progress = await progressOf(services.db, source, times);
  const isDue = now >= endOf(progress.day as string) && now >= microsOf(progress.due_at as string);
  if (!isDue) return false;
  if (progress.part !== null) return readPart(services, processor, progress);
  return services.db.transaction(async (tx) => {
    const isOurs = await lockProgress(tx, progress);
    return isOurs && (await settleStep(services, tx, progress, services.clock.now()));
  });
}

/** Each step is a transaction of its own, so that one that ends in between goes on where it was. */
async function settleStep(
  services: Services,
  tx: Db,
  progress: Row,
  now: Micros,
): Promise<boolean> {
  const day = progress.day as string;
  const isMore =
    (await compareNext(services, tx, progress, now)) ||
    (await missNext(services, tx, progress, now)) ||
    (await payOut(services, tx, progress, now));
  if (isMore) return true;
  const next = dayAfter(day);
  await moveProgress(tx, progress, { day: next, part: 1, due_at: instantText(endOf(next)) });
  services.logger.info(sourceOf(progress), 'a day is settled');
  return true;
}

/** Compares lines of the file with attempts and transfers. */
async function compareNext(
  services: Services,
  tx: Db,
  progress: Row,
  now: Micros,
): Promise<boolean> {
  const lines = await linesToCompare(tx, progress, COMPARED_MAX);
  if (lines.length === 0) return false;
  const compared = compareLines(lines, progress, now);
  await appendTransfers(tx, services.catalog, compared.transfers);
  await except(services, tx, progress, compared.exceptions, now);
  await recordOutcomes(tx, services.catalog, progress, compared.lines);
  return true;
}

/** Looks for transfers that should have been in a file by now. */
async function missNext(services: Services, tx: Db, progress: Row, now: Micros): Promise<boolean> {
  const day = progress.day as string;
  const missing = await unsettled(tx, progress.mode as string, settledStretch(day), COMPARED_MAX);
  const exceptions = missing.map((transfer) => missingInFile(transfer, day, now));
  await except(services, tx, progress, exceptions, now);
  return missing.length > 0;
}

async function except(
  { catalog, logger, models, wake }: Services,
  tx: Db,
  progress: Row,
  exceptions: readonly Row[],
  now: Micros,
): Promise<void> {
  if (exceptions.length === 0) return;
  await insertRows(tx, catalog, 'settlement_exceptions', exceptions);
  const model = models.get('settlement_exceptions');
  const events = exceptions.map((one) => eventAbout(model, one, 'created', now));
  await writeEvents(tx, catalog, events);
  wake.deliver.raise();
  const count = exceptions.length;
  logger.error({ ...sourceOf(progress), count }, 'a settlement file and the ledger differ');
}
