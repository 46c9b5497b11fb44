import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { insertRows } from '../../platform/database/rows.ts';
import { instantText, type Micros, seconds } from '../../platform/time/clock.ts';
import type { NetworkProcessor } from '../../processors/port/processor.ts';
import { partName, type SettlementPart } from '../../processors/port/settlement.ts';
import { sendPlain } from '../../processors/wire/send-plain.ts';
import type { Services } from '../../services.ts';
import { deleteLines, lockProgress, moveProgress, totalOf } from './sql.ts';

/** Seconds until the next query to a processor that had no file or did not respond. */
const RETRY_SECONDS = 60;
/** Maximum number of parts of a file; further parts are not read. */
const PARTS_MAX = 100_000;

/**
 * Reads the next part of a day's file, and stores it with the progress. Returns whether a part was
 * stored.
 */
export async function readPart(
  services: Services,
  processor: NetworkProcessor,
  progress: Row,
): Promise<boolean> {
  const { day, part } = { day: progress.day as string, part: Number(progress.part) };
  if (part === 1 && (await deleteOldLines(services, progress))) return true;
  const { settlement } = processor;
  const filePart = { day, part };
  const response = await sendPlain(settlement.mapRequest(filePart));
  const parsedPart = settlement.mapAnswer(response, partName(filePart));
  if (parsedPart.result === 'unknown' || part > PARTS_MAX) {
    services.logger.error(
      { ...fileSourceOf(progress), part },
      'settlement file not readable: it is read again',
    );
  }
  return services.db.transaction(async (tx) => {
    if (!(await lockProgress(tx, progress))) return false;
    const now = services.clock.now();
    if (parsedPart.result === 'part' && part <= PARTS_MAX) {
      await storePart(services, tx, progress, parsedPart, now);
      return true;
    }
    await moveProgress(tx, progress, { day, part, due_at: retryAt(now) });
    return false;
  });
}

/** Deletes a slice of lines that an earlier reading of the file has stored. Returns whether there were any. */
const deleteOldLines = ({ db }: Services, progress: Row): Promise<boolean> =>
  db.transaction(
    async (tx) => (await lockProgress(tx, progress)) && (await deleteLines(tx, progress)) > 0,
  );

const retryAt = (now: Micros): string => instantText(now + seconds(RETRY_SECONDS));

export const fileSourceOf = ({ processor = null, mode = null, day = null }: Row): Row => ({
  processor,
  mode,
  day,
});

/**
 * Stores a part. After the last part the file must match its trailer; otherwise all parts are read
 * again.
 */
async function storePart(
  services: Services,
  tx: Db,
  progress: Row,
  { lines, is_last, trailer }: SettlementPart,
  now: Micros,
): Promise<void> {
  const { day, part } = { day: progress.day as string, part: Number(progress.part) };
  const source = fileSourceOf(progress);
  const rows = lines.map((line) => ({
    ...source,
    line: String(line.line),
    entry: line.entry,
    reference: line.reference,
    authorisation: line.attempt_id,
    amount_cents: String(line.amount),
    amount_currency: line.currency,
  }));
  await insertRows(tx, services.catalog, 'settlement_entries', rows);
  const at = instantText(now);
  if (!is_last) return moveProgress(tx, progress, { day, part: part + 1, due_at: at });
  const { count, sum } = await totalOf(tx, progress);
  if (count !== trailer.count || sum !== trailer.sum) {
    services.logger.error(
      { ...source, count, sum, trailer },
      'settlement file does not match its trailer: it is read again',
    );
    return moveProgress(tx, progress, { day, part: 1, due_at: retryAt(now) });
  }
  const file = { ...source, entry_count: String(count), entry_sum: String(sum), created_at: at };
  await insertRows(tx, services.catalog, 'settlement_files', [file]);
  return moveProgress(tx, progress, { day, part: null, due_at: at });
}
