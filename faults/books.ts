import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The network's record of an authorisation, refund, capture or dispute. */
export interface Entry {
  readonly reference: string;
  /** Reference of the authorisation, for a refund, capture or dispute. */
  readonly authorisation?: string;
  readonly amount: number;
  /** `approved`, `declined` or `reversed`; for a dispute `open`, `won` or `lost`. */
  readonly result: string;
}

/** The network's own ledger: the money that really moved, independently of the responses. */
export interface NetworkLedger {
  readonly authorisations: readonly Entry[];
  readonly refunds: readonly Entry[];
  readonly captures: readonly Entry[];
  readonly disputes: readonly Entry[];
}

/** Reads the ledger of a stopped simulator. */
export function readNetworkLedger(dataDir: string): NetworkLedger {
  using database = new DatabaseSync(join(dataDir, 'simulator', 'books.sqlite'), { readOnly: true });
  const read = (columns: string, table: string): Entry[] =>
    database.prepare(`select ${columns} from ${table}`).all() as unknown as Entry[];
  const followUp = 'reference, authorisation, amount, result';
  return {
    authorisations: read('reference, amount, result', 'authorisations'),
    refunds: read(followUp, 'refunds'),
    captures: read(followUp, 'captures'),
    disputes: read('reference, authorisation, amount, status as result', 'disputes'),
  };
}
