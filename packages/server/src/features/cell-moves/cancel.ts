import type { Row } from '../../platform/database/row.ts';
import { deleteStop, findStop } from '../cells/sql/stops.ts';
import { type LeaseDeps, withLease } from './lease.ts';
import { type OpenDeps, openCell } from './open-cell.ts';
import { deleteMove } from './sql/directory.ts';
import { lowerFence } from './sql/fence.ts';
import { readMovedTables } from './sql/tables.ts';

/**
 * Ends a move before the directory switches, and serves the merchant in the source again. Throws an `Error` for people if the
 * target has the copy, or may have it.
 */
export async function cancelMove(
  deps: OpenDeps & LeaseDeps & { readonly print: (line: string) => void },
  merchant_id: string,
  place: Row,
): Promise<void> {
  if (!place.move_id) return deps.print('The merchant does not move.');
  if (place.step === 'remove')
    throw new Error(
      'the directory has switched: repeat the command without --cancel, then move back',
    );
  const id = place.move_id as string;
  await using source = await openCell(deps, place.source as string);
  // Before this step, nothing was sent to the target, which may be gone.
  if (place.step === 'copy') {
    await using target = await openCell(deps, place.target as string);
    const stop = await findStop(target.db, merchant_id);
    if (stop?.move_id === id)
      throw new Error(
        'the target has the copy: repeat the command without --cancel, then move back',
      );
  }
  const move = {
    id,
    merchant_id,
    from_cell_id: place.from_cell_id as string,
    to_cell_id: place.to_cell_id as string,
    accounts: '{}',
  };
  await withLease(deps, move, async (_row, lease) => {
    await deleteStop(source.db, merchant_id, id);
    await lowerFence(source.db, await readMovedTables(source.db));
    await deleteMove(deps.global, lease());
  });
  deps.print(`The move has ended. The cell ${source.name} serves the merchant.`);
}
