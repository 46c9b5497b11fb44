import type { Sealer } from '../../platform/crypto/sealer.ts';
import type { Db } from '../../platform/database/db.ts';
import type { CopySession } from '../../platform/database/wire/copy.ts';
import { addressLocation } from '../cells/create.ts';
import { findCell } from '../cells/sql/directory.ts';

export interface OpenDeps {
  readonly global: Db;
  readonly sealer: Sealer;
  /** Connects to the database of a cell. */
  readonly connect: (address: string) => Promise<CopySession>;
}

/** A cell of a move, with a connection to its database. */
export interface MoveCell {
  readonly id: string;
  readonly name: string;
  readonly db: CopySession;
}

/** Connects to the database of a cell. Throws an `Error` for people if there is no such cell. */
export async function openCell(
  { global, sealer, connect }: OpenDeps,
  name: string,
): Promise<MoveCell & { readonly state: string } & AsyncDisposable> {
  const cell = await findCell(global, name);
  if (!cell) throw new Error(`there is no cell ${name}: look at "cell list"`);
  const id = cell.id as string;
  const address = sealer.open(cell.address as string, addressLocation(id));
  if (address === undefined) throw new Error(`no key of this server opens the address of ${name}`);
  const db = await connect(address);
  return {
    id,
    name,
    state: cell.state as string,
    db,
    [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  };
}
