import { createLru } from '@florin/contract/lru.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Logger } from '../../platform/logger.ts';
import { cellOf } from '../cells/sql/directory.ts';
import { merchantOfLink } from '../people/sql/account-links.ts';
import type { RoutedEntry } from './subject.ts';

/** Maximum number of entries whose cell a router remembers. */
const REMEMBERED_MAX = 50_000;
/** Milliseconds after which a router asks the directory again. */
const REMEMBERED_MS = 60_000;
/** Milliseconds after which a request waits for the directory, as the cell may no longer know that the merchant moved. */
const OLD_MS = 3_600_000;

interface RememberedEntry {
  readonly cell: string;
  readonly until: number;
}

/** Finds the names of cells in the directory. */
export interface CellFinder {
  isRemembered(entry: RoutedEntry): boolean;
  /** Name of the cell of an entry; undefined if the directory has no such entry. */
  find(entry: RoutedEntry): Promise<string | undefined>;
  /** Remembers the cell that another cell has named. */
  learn(entry: RoutedEntry, cell: string): void;
}

/** Outcome of a lookup in the directory. */
export type LookupOutcome = 'found' | 'unknown' | 'failed';

interface FinderDeps {
  readonly global: Db;
  readonly monotonic_ms: () => number;
  readonly logger: Logger;
  readonly countLookup?: (outcome: LookupOutcome) => void;
}

export function createCellFinder({
  global,
  monotonic_ms,
  logger,
  countLookup = () => {},
}: FinderDeps): CellFinder {
  const remembered = createLru<RememberedEntry>(REMEMBERED_MAX);
  const lookups = new Map<string, Promise<string | undefined>>();
  const keyOf = ({ kind, value }: RoutedEntry): string => `${kind} ${value}`;
  async function look(entry: RoutedEntry): Promise<string | undefined> {
    const cell = await readCell(global, entry).catch((error: unknown) => {
      countLookup('failed');
      throw error;
    });
    countLookup(cell === undefined ? 'unknown' : 'found');
    // Unknown entries are not remembered: guesses would evict real ones.
    if (cell === undefined) remembered.delete(keyOf(entry));
    else remember(entry, cell);
    return cell;
  }
  function remember(entry: RoutedEntry, cell: string): void {
    remembered.set(keyOf(entry), { cell, until: monotonic_ms() + REMEMBERED_MS });
  }
  /** Concurrent requests of one entry share a lookup. */
  function lookOnce(entry: RoutedEntry): Promise<string | undefined> {
    const key = keyOf(entry);
    const lookup = lookups.get(key) ?? look(entry).finally(() => lookups.delete(key));
    lookups.set(key, lookup);
    return lookup;
  }
  return {
    isRemembered: (entry) => remembered.get(keyOf(entry)) !== undefined,
    async find(entry) {
      const known = remembered.get(keyOf(entry));
      // The cell cannot find the merchant of a link in an email, so such an entry is never taken from memory.
      if (!known || entry.kind === 'account_link') return lookOnce(entry);
      if (known.until > monotonic_ms()) return known.cell;
      const lookup = lookOnce(entry).catch(({ message }: Error) => {
        logger.warn({ err: { message } }, 'cell of a known entry not read again');
        return known.cell;
      });
      // Nobody waits for most lookups, so known entries work without the global database.
      return known.until + OLD_MS <= monotonic_ms() ? lookup : known.cell;
    },
    learn: remember,
  };
}

async function readCell(global: Db, { kind, value }: RoutedEntry): Promise<string | undefined> {
  if (kind !== 'account_link') return (await cellOf(global, kind, value))?.name ?? undefined;
  const merchant_id = await merchantOfLink(global, value);
  return merchant_id === undefined
    ? undefined
    : readCell(global, { kind: 'merchant', value: merchant_id });
}
