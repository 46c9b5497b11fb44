import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { deleteStop, findStop } from '../cells/sql/stops.ts';
import { holdCells, type LeaseDeps, requireLease, withLease } from './lease.ts';
import { type LowerDeps, lowerOrReport } from './lower-or-report.ts';
import { type OpenDeps, openCell } from './open-cell.ts';
import { deleteMove, findPlace, type MoveLease, takeOverMove } from './sql/directory.ts';

type CancelDeps = OpenDeps & LeaseDeps & LowerDeps;

/**
 * Ends a move before the directory switches, and serves the merchant in the source again. Throws an `Error` for people if the
 * target has the copy, or may have it.
 */
export async function cancelMove(deps: CancelDeps, merchant_id: string, place: Row): Promise<void> {
  if (!place.move_id) return deps.print('The merchant does not move.');
  const move = { id: place.move_id as string, merchant_id };
  const work = (row: Row, lease: MoveLease) => cancelLeased(deps, place, row, lease);
  await withLease(deps, move, work, takeOver);
  deps.print(`The move has ended. The cell ${place.source} serves the merchant.`);
}

/** Throws an `Error` for people if the move has ended since the command read it. */
async function takeOver(
  global: Db,
  move: Parameters<typeof takeOverMove>[1],
): Promise<Row | undefined> {
  const row = await takeOverMove(global, move);
  const place = row ? undefined : await findPlace(global, move.merchant_id);
  if (place && place.move_id !== move.id)
    throw new Error(`the move has ended meanwhile: the directory names the cell ${place.cell}`);
  return row;
}

/** The step of `row` was read with the lease: no other command can change it any more. */
async function cancelLeased(
  deps: CancelDeps,
  place: Row,
  { id, step }: Row,
  lease: MoveLease,
): Promise<void> {
  const { global } = deps;
  const stop = { merchant_id: lease.merchant_id, move_id: id as string };
  if (step === 'remove')
    throw new Error(
      'the directory has switched: repeat the command without --cancel, then move back',
    );
  await using source = await openCell(deps, place.source as string);
  await holdCells(global, lease, [source]);
  // Before this step, nothing was sent to the target, which may be gone.
  if (step === 'copy') await requireNoCopy(deps, place.target as string, stop, lease);
  await deleteStop(source.db, stop, ['leaving', 'fenced']);
  await lowerOrReport(source.db, deps);
  await requireLease(deleteMove(global, lease));
}

async function requireNoCopy(
  deps: CancelDeps,
  cell: string,
  { merchant_id, move_id }: { readonly merchant_id: string; readonly move_id: string },
  lease: MoveLease,
): Promise<void> {
  await using target = await openCell(deps, cell);
  await holdCells(deps.global, lease, [target]);
  if ((await findStop(target.db, merchant_id))?.move_id === move_id)
    throw new Error('the target has the copy: repeat the command without --cancel, then move back');
}
