import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { narrowSlice } from '../../platform/database/slices/narrow-slice.ts';
import { instantText, type Micros, microsOf } from '../../platform/time/clock.ts';
import { missingInFile, settledRange } from './decide.ts';
import { type ExceptionServices, recordException } from './exceptions.ts';
import { countTransfers, readUnsettled, storeCheckedUntil, type TimeRange } from './sql.ts';

/** Maximum number of exceptions that one step writes. */
const MISSED_MAX = 500;
/**
 * Maximum number of transfers that one step checks; exceeded only if a single microsecond has more.
 */
export const MATCHED_MAX = 20_000;

/**
 * Checks the next slice of the day for transfers that the file lacks, and stores the progress.
 * Returns whether there was a slice.
 */
export async function checkNextSlice(
  services: ExceptionServices,
  tx: Db,
  progress: Row,
  now: Micros,
  matched_max: number = MATCHED_MAX,
): Promise<boolean> {
  const slice = await nextSlice(tx, progress, matched_max);
  if (!slice) return false;
  const day = progress.day as string;
  const missingTransfers = await readUnsettled(tx, progress, slice, MISSED_MAX);
  const exceptions = missingTransfers.map((transfer) => missingInFile(transfer, day, now));
  await recordException(services, tx, progress, exceptions, now);
  if (missingTransfers.length < MISSED_MAX) await storeCheckedUntil(tx, progress, slice.to);
  return true;
}

/** Next slice of a day with at most `max` transfers; undefined at the end of the day. */
async function nextSlice(tx: Db, progress: Row, max: number): Promise<TimeRange | undefined> {
  const { from: beginning, to } = settledRange(progress.day as string);
  const from = progress.missed_until ?? beginning;
  if (microsOf(from) >= microsOf(to)) return undefined;
  const rangeTo = (end: bigint): TimeRange => ({ from, to: instantText(Number(end)) });
  const mode = progress.mode as string;
  const isSmall = async (end: bigint): Promise<boolean> =>
    (await countTransfers(tx, mode, rangeTo(end), max + 1)) <= max;
  return rangeTo(await narrowSlice(BigInt(microsOf(from)), BigInt(microsOf(to)), isSmall));
}
