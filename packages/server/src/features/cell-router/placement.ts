import { hash } from 'node:crypto';
import type { Db } from '../../platform/database/db.ts';
import { listOpenCells } from '../cells/sql/directory.ts';
import type { CellAddress } from './cell-client.ts';

/**
 * Cell for a new merchant: one of the open cells, chosen by a hash of `seed`. A request that is repeated with its
 * idempotency key reaches the cell that has its first answer.
 */
export async function placeMerchant(
  global: Db,
  cells: readonly CellAddress[],
  seed: string,
): Promise<CellAddress | undefined> {
  const open = new Set(await listOpenCells(global));
  const candidates = cells.filter(({ name }) => open.has(name));
  return candidates.sort((one, other) => (rank(seed, one) < rank(seed, other) ? -1 : 1))[0];
}

/** With a hash for each cell, a further cell changes the choice of few seeds. */
const rank = (seed: string, { name }: CellAddress): string => hash('sha256', `${name} ${seed}`);
