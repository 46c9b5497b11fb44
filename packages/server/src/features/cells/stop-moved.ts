import type { Db } from '../../platform/database/db.ts';
import { factOf } from '../../platform/database/installation/installation-facts.ts';
import type { Row } from '../../platform/database/row.ts';
import { UUID_MIN } from '../../platform/database/slices/key-slices.ts';
import { uuidv7 } from '../../platform/ids.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Clock, instantText } from '../../platform/time/clock.ts';
import { type AskDeps, cellAnswerOf, openKnownCell } from './ask.ts';
import { findCell, findInOtherCells } from './sql/directory.ts';
import { readPresentMerchants, readServedMerchants, storeMovedStops } from './sql/stops.ts';

/** Merchants that the directory is asked about at once. */
const SLICE_ROWS = 2_000;

/** Id of the cell of a database; undefined if the database is no cell. */
export const cellIdOf = async (db: Db): Promise<string | undefined> =>
  (await factOf(db, 'cell'))?.split(' ')[1];

/** Database of a cell, and what opens the other cells of its directory. */
export interface StopDeps extends AskDeps {
  readonly db: Db;
  readonly global: Db;
}

/** Merchants that a cell would serve although the directory names another cell. */
export interface MovedMerchants {
  /** The other cell has them, or does not answer: a restore to a time before their move brought the rows back here. */
  readonly elsewhere: readonly Row[];
  /** The other cell has no rows of them, or has stopped them as moved: the directory is older than their move. */
  readonly only_here: readonly Row[];
}

/**
 * Compares the merchants of a cell with the directory, and with the cells that the directory names. Empty without cells.
 * Throws if the directory cannot be read.
 */
export async function findMovedMerchants(deps: StopDeps): Promise<MovedMerchants> {
  const { db, global } = deps;
  const found = { elsewhere: [] as Row[], only_here: [] as Row[] };
  const cell_id = await cellIdOf(db);
  if (cell_id === undefined) return found;
  for (let after = UUID_MIN; ; ) {
    // Read before the directory: a move changes the directory while the merchant is stopped.
    const ids = await readServedMerchants(db, after, SLICE_ROWS);
    const named = ids.length > 0 ? await findInOtherCells(global, cell_id, ids) : [];
    const absent = await findAbsent(deps, named);
    for (const row of named)
      found[absent.has(row.merchant_id as string) ? 'only_here' : 'elsewhere'].push(row);
    if (ids.length < SLICE_ROWS) return found;
    after = ids.at(-1) as string;
  }
}

/** Ids of merchants that the cell of the directory certainly does not serve. */
async function findAbsent(deps: StopDeps, named: readonly Row[]): Promise<ReadonlySet<string>> {
  const absent = new Set<string>();
  for (const [name, rows] of Map.groupBy(named, (row) => row.name as string)) {
    const ids = rows.map((row) => row.merchant_id as string);
    const present = await findPresent(deps, name, ids).catch(() => ids);
    for (const id of ids) if (!present.includes(id)) absent.add(id);
  }
  return absent;
}

async function findPresent(
  deps: StopDeps,
  name: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const row = await findCell(deps.global, name);
  await using cell = openKnownCell(deps, row as Row);
  return await cellAnswerOf(readPresentMerchants(cell, ids));
}

/** Numbers of merchants whom the directory places in other cells. */
export interface StopCounts {
  /** Stopped: the other cell has them, or does not answer. */
  readonly stopped: number;
  /** Served as before: no other cell serves them. */
  readonly only_here: number;
}

/** Stops the merchants that another cell may serve, in one statement. */
export async function stopMovedMerchants(deps: StopDeps, clock: Clock): Promise<StopCounts> {
  const { elsewhere, only_here } = await findMovedMerchants(deps);
  const now = clock.now();
  const stop = { move_id: uuidv7(now), at: instantText(now) };
  const stopped = elsewhere.length > 0 ? await storeMovedStops(deps.db, elsewhere, stop) : 0;
  return { stopped, only_here: only_here.length };
}

interface StartDeps extends StopDeps {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
}

/** Stops the merchants that another cell may serve, before a process begins. Other programs restore databases too. */
export async function stopMovedAtStart({ clock, logger, ...deps }: StartDeps): Promise<void> {
  const { stopped, only_here } = await stopMovedMerchants(deps, clock);
  if (stopped > 0)
    logger.error(
      { count: stopped },
      'merchants stopped that the directory places in other cells: run "florin cell check"',
    );
  if (only_here > 0)
    logger.error(
      { count: only_here },
      'merchants served that the directory places in cells without them: run "florin cell check"',
    );
}
