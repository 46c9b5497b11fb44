import type { Sealer } from '../../platform/crypto/sealer.ts';
import type { Database } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { addressLocation } from './create.ts';

/** Time for which a cell may take to answer. */
const ANSWER_MS = 5_000;

export interface AskDeps {
  readonly sealer: Sealer;
  /** Opens a database with one connection. */
  readonly open: (address: string) => Database;
}

/** Address of a cell of the directory. Undefined if no key of this process opens it. */
export const cellAddressOf = (
  { sealer }: Pick<AskDeps, 'sealer'>,
  { id, address }: Row,
): string | undefined => sealer.open(address as string, addressLocation(id as string));

/** Opens the database of a cell. Throws an `Error` for people if no key of this process opens its address. */
export function openKnownCell(deps: AskDeps, row: Row): Database {
  const address = cellAddressOf(deps, row);
  if (address === undefined) throw new Error(`no key of this server opens the address`);
  return deps.open(address);
}

/** The answer of a cell. Rejects after five seconds. */
export async function cellAnswerOf<Answer>(asked: Promise<Answer>): Promise<Answer> {
  const timer = Promise.withResolvers<never>();
  const timeout = setTimeout(() => timer.reject(new Error('no answer in 5 seconds')), ANSWER_MS);
  try {
    return await Promise.race([asked, timer.promise]);
  } finally {
    clearTimeout(timeout);
  }
}
