import type { Db } from '../../platform/database/db.ts';
import type { CellDatabases } from '../../platform/database/in-both.ts';
import { factOf } from '../../platform/database/installation/installation-facts.ts';
import type { Row } from '../../platform/database/row.ts';
import { UUID_MIN } from '../../platform/database/slices/key-slices.ts';
import { uuidv7 } from '../../platform/ids.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Clock, instantText } from '../../platform/time/clock.ts';
import { findInOtherCells } from './sql/directory.ts';
import { readServedMerchants, storeMovedStops } from './sql/stops.ts';

/** Merchants that the directory is asked about at once. */
const SLICE_ROWS = 2_000;

/** Id of the cell of a database; undefined if the database is no cell. */
export const cellIdOf = async (db: Db): Promise<string | undefined> =>
  (await factOf(db, 'cell'))?.split(' ')[1];

/**
 * Merchants that the cell would serve although the directory names another cell: a restore to a time before their move
 * brought their rows back. Empty without cells. Throws if the directory cannot be read.
 */
export async function findMovedMerchants({
  db,
  global,
}: Readonly<Record<keyof CellDatabases, Db>>): Promise<Row[]> {
  const cell_id = await cellIdOf(db);
  const moved: Row[] = [];
  if (cell_id === undefined) return moved;
  for (let after = UUID_MIN; ; ) {
    // Read before the directory: a move changes the directory while the merchant is stopped.
    const ids = await readServedMerchants(db, after, SLICE_ROWS);
    if (ids.length > 0) moved.push(...(await findInOtherCells(global, cell_id, ids)));
    if (ids.length < SLICE_ROWS) return moved;
    after = ids.at(-1) as string;
  }
}

/** Stops the merchants that another cell serves, in one statement. Returns their number. */
export async function stopMovedMerchants(
  databases: Readonly<Record<keyof CellDatabases, Db>>,
  clock: Clock,
): Promise<number> {
  const moved = await findMovedMerchants(databases);
  if (moved.length === 0) return 0;
  const now = clock.now();
  return storeMovedStops(databases.db, moved, { move_id: uuidv7(now), at: instantText(now) });
}

interface StartDeps extends CellDatabases {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Stops the merchants that another cell serves, before a process begins. Other programs restore databases too. */
export async function stopMovedAtStart({ db, global, clock, logger }: StartDeps): Promise<void> {
  const count = await stopMovedMerchants({ db, global }, clock);
  if (count > 0) logger.warn({ count }, 'merchants stopped that other cells have');
}
