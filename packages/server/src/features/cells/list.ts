import type { Sealer } from '../../platform/crypto/sealer.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { cellAddressOf, cellAnswerOf } from './ask.ts';
import type { CellDeps } from './create.ts';
import { shownAddress } from './decide.ts';
import { listCells } from './sql/directory.ts';
import { schemaVersion } from './sql/probe.ts';

/** A cell of the installation, as `cell list` shows it. */
export interface CellView {
  readonly name: string;
  readonly state: string;
  readonly address: string;
  /** Merchants in the directory. */
  readonly merchants: number;
  /** Number of the newest migration; undefined if the cell does not answer. */
  readonly schema: string | undefined;
  /** Why the cell does not answer, or migrations that it lacks; undefined if all is well. */
  readonly problem: string | undefined;
}

/** All cells by name. Asks them concurrently. A cell that is down delays only its own line. */
export async function describeCells({
  global,
  sealer,
  open,
}: Pick<CellDeps, 'global' | 'sealer' | 'open'>): Promise<readonly CellView[]> {
  return Promise.all((await listCells(global)).map((row) => describeCell(sealer, open, row)));
}

async function describeCell(sealer: Sealer, open: CellDeps['open'], row: Row): Promise<CellView> {
  const address = cellAddressOf({ sealer }, row);
  const known = {
    name: row.name as string,
    state: row.state as string,
    merchants: Number(row.merchants),
  };
  if (address === undefined)
    return {
      ...known,
      address: 'unreadable',
      schema: undefined,
      problem: 'no key of this server opens its address',
    };
  await using cell = open(address);
  return { ...known, address: shownAddress(address), ...(await askCell(cell)) };
}

async function askCell(cell: Db): Promise<Pick<CellView, 'schema' | 'problem'>> {
  try {
    const { version, missing } = await cellAnswerOf(schemaVersion(cell));
    const problem = missing.length > 0 ? `lacks ${missing.length} migrations` : undefined;
    return { schema: version, problem };
  } catch (error) {
    return { schema: undefined, problem: `unreachable: ${(error as Error).message}` };
  }
}

/** Text of commands in an installation without cells. */
export const NO_CELLS = 'This installation has no cells: all merchants are in its database.';

/** Text of the list, a line for each cell. */
export function listText(cells: readonly CellView[]): string {
  if (cells.length === 0) return NO_CELLS;
  const rows = [
    ['cell', 'state', 'merchants', 'schema', 'address', ''],
    ...cells.map(({ name, state, merchants, schema = '-', address, problem = '' }) => [
      name,
      state,
      String(merchants),
      schema,
      address,
      problem,
    ]),
  ];
  const widths =
    rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
