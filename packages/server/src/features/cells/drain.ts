import type { Db } from '../../platform/database/db.ts';
import { type Clock, instantText } from '../../platform/time/clock.ts';
import { findCell, listCells, type ServingState, setServingState } from './sql/directory.ts';

export interface DrainDeps {
  readonly global: Db;
  readonly clock: Clock;
  readonly print: (line: string) => void;
}

export interface DrainInput {
  readonly name: string;
  /** `draining`: the cell takes no new merchants. `open`: it takes them again. */
  readonly state: ServingState;
  readonly dry_run: boolean;
}

/**
 * Drains a cell, or opens it again. The merchants of the cell stay and are served. Can be repeated. Throws an `Error` for people if
 * no cell has this name, or if its creation did not end.
 */
export async function setCellState(
  { global, clock, print }: DrainDeps,
  { name, state, dry_run }: DrainInput,
): Promise<void> {
  const cell = await findCell(global, name);
  if (!cell) throw new Error(`there is no cell ${name}: look at "cell list"`);
  if (cell.state === 'preparing')
    throw new Error(`the cell ${name} is not complete: repeat "cell create" for it`);
  if (cell.state === state) {
    print(`The cell ${name} is ${state} already.`);
    return;
  }
  if (dry_run) {
    print(`Would change the cell ${name} from ${cell.state} to ${state}.`);
    return;
  }
  await setServingState(global, cell.id as string, state, instantText(clock.now()));
  print(`The cell ${name} is ${state}. ${EFFECTS[state]}`);
  const cells = await listCells(global);
  if (cells.every((one) => one.state !== 'open'))
    print('Warning: no cell is open, so nobody can open a merchant.');
}

const EFFECTS: Readonly<Record<ServingState, string>> = {
  open: 'New merchants may open there.',
  draining: 'No new merchant opens there. Present merchants stay, and are served.',
};
