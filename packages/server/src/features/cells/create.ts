import type { Sealer } from '../../platform/crypto/sealer.ts';
import type { Database, Db } from '../../platform/database/db.ts';
import { storeFact } from '../../platform/database/installation/installation-facts.ts';
import { migrate } from '../../platform/database/migrate.ts';
import type { Row } from '../../platform/database/row.ts';
import { UUID_MIN } from '../../platform/database/slices/key-slices.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { type Clock, instantText } from '../../platform/time/clock.ts';
import { describeInputProblem, describeRefusal, shownAddress } from './decide.ts';
import {
  type EntryKind,
  enterKeys,
  enterLinks,
  enterMerchants,
  findCell,
  insertCell,
  openPreparedCell,
  readEntries,
} from './sql/directory.ts';
import { probe } from './sql/probe.ts';

/** Rows of a cell that one statement enters into the directory. */
const SLICE_ROWS = 2_000;

export interface CellDeps {
  readonly global: Database;
  /** Address of the global database. */
  readonly global_url: string;
  readonly sealer: Sealer;
  readonly clock: Clock;
  /** Opens a database with one connection. */
  readonly open: (address: string) => Database;
  readonly print: (line: string) => void;
}

export interface CellInput {
  readonly name: string;
  readonly address: string;
  readonly dry_run: boolean;
}

/** Row and column for which the address of a cell is sealed. */
export const addressLocation = (id: string) => ({ merchant_id: id, id, column: 'address' });

/** Fact of a cell's database: name and id of the cell. */
const factOfCell = (name: string, id: string): string => `${name} ${id}`;

/**
 * Makes a database a cell: enters it into the directory, migrates it, enters its merchants, then opens it. Can be repeated
 * after a crash at any step. Throws an `Error` for people before it changes anything if the database cannot be that cell.
 */
export async function createCell(deps: CellDeps, input: CellInput): Promise<void> {
  const { global, clock, sealer, print } = deps;
  const { name, address, dry_run } = input;
  const inputProblem = describeInputProblem(name, address);
  if (inputProblem) throw new Error(inputProblem);
  const known = await findCell(global, name);
  const id = (known?.id as string | undefined) ?? uuidv7(clock.now());
  if (known && sealer.open(known.address as string, addressLocation(id)) !== address)
    throw new Error(`the cell ${name} has another address: choose another name`);
  await using cell = deps.open(address);
  const fact = factOfCell(name, id);
  const candidate = await probe(cell, address, global, deps.global_url);
  const refusal = describeRefusal(candidate, fact);
  if (refusal) throw new Error(refusal);
  if (dry_run) {
    print(`Would ${known ? 'complete' : 'create'} the cell ${name} at ${shownAddress(address)}.`);
    return;
  }
  const at = instantText(clock.now());
  await insertCell(global, { id, name, address: sealer.seal(address, addressLocation(id)), at });
  // Two concurrent commands could give one name to two databases.
  if ((await findCell(global, name))?.id !== id)
    throw new Error(`another command has created the cell ${name} meanwhile: look at "cell list"`);
  await migrate(address, {
    report: (event) => event.event === 'migration_applied' && print(`Applied ${event.migration}.`),
  });
  if ((await storeFact(cell, 'cell', fact)) !== fact)
    throw new Error('the schema became another cell meanwhile: look at "cell list"');
  const counts = await enterAll(global, cell, id, at);
  await openPreparedCell(global, id, at);
  const state = (await findCell(global, name))?.state;
  print(`The cell ${name} at ${shownAddress(address)} is ${state}.`);
  print(
    `The directory has ${counts.merchant} merchants, ${counts.key} keys and ${counts.link} links of it.`,
  );
}

const ENTERING: Readonly<
  Record<
    EntryKind,
    (global: Db, cell_id: string, rows: readonly Row[], at: string) => Promise<unknown>
  >
> = {
  merchant: (global, cell_id, rows, at) =>
    enterMerchants(
      global,
      cell_id,
      rows.map(({ value }) => value as string),
      at,
    ),
  key: (global, _cell_id, rows, at) => enterKeys(global, rows.map(entryOf), at),
  link: (global, _cell_id, rows, at) => enterLinks(global, rows.map(entryOf), at),
};

const entryOf = ({ value, merchant_id }: Row) => ({
  value: value as string,
  merchant_id: merchant_id as string,
});

/** Enters all merchants, keys and links of a cell, slice by slice. Returns how many there are. */
async function enterAll(
  global: Db,
  cell: Db,
  cell_id: string,
  at: string,
): Promise<Readonly<Record<EntryKind, number>>> {
  const counts = { merchant: 0, key: 0, link: 0 };
  for (const kind of ['merchant', 'key', 'link'] as const) {
    for (let after: Row = { merchant_id: UUID_MIN, id: UUID_MIN }; ; ) {
      const rows = await readEntries(cell, kind, after, SLICE_ROWS);
      if (rows.length > 0) await ENTERING[kind](global, cell_id, rows, at);
      counts[kind] += rows.length;
      if (rows.length < SLICE_ROWS) break;
      after = rows.at(-1) as Row;
    }
  }
  return counts;
}
