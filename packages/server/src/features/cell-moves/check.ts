import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { UUID_MIN } from '../../platform/database/slices/key-slices.ts';
import { type AskDeps, cellAnswerOf, openKnownCell } from '../cells/ask.ts';
import { NO_CELLS } from '../cells/list.ts';
import { listCells } from '../cells/sql/directory.ts';
import {
  type CellFinding,
  cellCheckText,
  checkMerchant,
  type MerchantHolder,
} from './decide-check.ts';
import { readHeld, readMerchants, readMoving, readPlaced, readPlaces } from './sql/check.ts';

/** Merchants that one statement reads. */
const SLICE_ROWS = 2_000;
/** Suspects that one check looks at. */
const SUSPECTS_MAX = 20_000;

interface KnownCell {
  readonly id: string;
  readonly name: string;
  readonly db: Db;
}

export interface CellCheck {
  readonly text: string;
  readonly is_ok: boolean;
}

/**
 * Compares the merchants of all cells with the directory. Changes nothing. A cell that does not answer is a problem of its
 * own: its merchants are left out.
 */
export async function checkCells(deps: AskDeps & { readonly global: Db }): Promise<CellCheck> {
  await using opened = new AsyncDisposableStack();
  const suspects = new Set<string>();
  const [cells, problems, unanswered]: [KnownCell[], string[], Set<string>] = [[], [], new Set()];
  for (const { id } of await readMoving(deps.global)) suspects.add(id as string);
  for (const row of await listCells(deps.global)) {
    const name = row.name as string;
    try {
      const cell = { id: row.id as string, name, db: opened.use(openKnownCell(deps, row)) };
      await addSuspects(deps.global, cell, suspects);
      cells.push(cell);
    } catch (error) {
      unanswered.add(name);
      problems.push(`The cell ${name} is unreachable: ${(error as Error).message}.`);
    }
  }
  if (cells.length + problems.length === 0) return { text: NO_CELLS, is_ok: true };
  const findings = await judge(deps.global, cells, [...suspects], unanswered);
  if (suspects.size >= SUSPECTS_MAX)
    problems.push(
      `The check ended after ${SUSPECTS_MAX} merchants: repeat it after the next steps.`,
    );
  const is_ok = findings.length === 0 && problems.length === 0;
  return { text: cellCheckText(findings, problems), is_ok };
}

/** Adds the merchants that only one of cell and directory has, and those that the cell has stopped. */
async function addSuspects(global: Db, cell: KnownCell, suspects: Set<string>): Promise<void> {
  const add = (ids: readonly string[]): void => {
    for (const id of ids) if (suspects.size < SUSPECTS_MAX) suspects.add(id);
  };
  await forSlices(
    (after) => cellAnswerOf(readMerchants(cell.db, after, SLICE_ROWS)),
    async (rows) => {
      const places = await readPlaces(global, idsOf(rows));
      const placed = new Set(idsOf(places.filter(({ named }) => named === cell.name)));
      add(idsOf(rows.filter(({ id, stop }) => stop !== null || !placed.has(id as string))));
    },
  );
  await forSlices(
    (after) => readPlaced(global, cell.id, after, SLICE_ROWS),
    async (rows) => {
      const held = new Set(idsOf(await cellAnswerOf(readHeld(cell.db, idsOf(rows)))));
      add(idsOf(rows).filter((id) => !held.has(id)));
    },
  );
}

const idsOf = (rows: readonly Row[]): string[] => rows.map(({ id }) => id as string);

async function forSlices(
  read: (after: string) => Promise<Row[]>,
  work: (rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  for (let after = UUID_MIN; ; ) {
    const rows = await read(after);
    if (rows.length > 0) await work(rows);
    if (rows.length < SLICE_ROWS) return;
    after = rows.at(-1)?.id as string;
  }
}

/** Reads the suspects again from all cells. Leaves out those that a command moves before or after: moves take seconds. */
async function judge(
  global: Db,
  cells: readonly KnownCell[],
  suspects: readonly string[],
  unanswered: ReadonlySet<string>,
): Promise<readonly CellFinding[]> {
  const findings: CellFinding[] = [];
  for (let from = 0; from < suspects.length; from += SLICE_ROWS) {
    const ids = suspects.slice(from, from + SLICE_ROWS);
    const places = await readPlaces(global, ids);
    const holders = new Map<string, MerchantHolder[]>(ids.map((id) => [id, []]));
    for (const { name, db } of cells)
      for (const { id, stop } of await cellAnswerOf(readHeld(db, ids)))
        holders.get(id as string)?.push({ cell: name, stop: stop ?? undefined });
    const later = await readPlaces(global, ids);
    const leased = new Set(idsOf(later.filter(({ is_leased }) => is_leased === 't')));
    for (const row of places) {
      if (leased.has(row.id as string)) continue;
      const finding = checkMerchant(placesOf(row, holders.get(row.id as string)), unanswered);
      if (finding) findings.push(finding);
    }
  }
  return findings;
}

const placesOf = (
  { id, named, target, is_leased }: Row,
  holders: readonly MerchantHolder[] = [],
) => ({
  merchant_id: id as string,
  named: named ?? undefined,
  move: target ? { target, is_leased: is_leased === 't' } : undefined,
  holders,
});
