import { problem } from '@florin/contract/errors.ts';
import { createLru } from '@florin/contract/lru.ts';
import type { CellDatabases } from '../../platform/database/in-both.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Clock, instantText } from '../../platform/time/clock.ts';
import type { CellDirectory } from '../../services.ts';
import { cellOf, enterKeys, enterLinks, enterNewMerchant } from './sql/directory.ts';
import { cellIdOf } from './stop-moved.ts';

/** Maximum number of keys whose cell a process remembers. */
const REMEMBERED_MAX = 10_000;
/** Milliseconds for which a process remembers the cell of a key. */
const REMEMBERED_MS = 60_000;

interface RememberedCell {
  readonly name: string;
  readonly until: number;
}

interface DirectoryDeps extends CellDatabases {
  readonly clock: Clock;
  readonly monotonic_ms: () => number;
  readonly logger: Logger;
}

const drainingProblem = () =>
  problem(
    'registration_closed',
    'This cell takes no new businesses. Ask the operator where to open one.',
  );

/** Opens the directory for the cell of `db`. Undefined if the database is no cell. */
export async function openDirectory({
  db,
  global,
  clock,
  monotonic_ms,
  logger,
}: DirectoryDeps): Promise<CellDirectory | undefined> {
  const cell_id = await cellIdOf(db);
  if (cell_id === undefined) return undefined;
  const now = (): string => instantText(clock.now());
  const remembered = createLru<RememberedCell>(REMEMBERED_MAX);
  return {
    enterMerchant: async (tx, merchant_id) => {
      if (!(await enterNewMerchant(tx, cell_id, merchant_id, now()))) throw drainingProblem();
    },
    enterKey: async (entry) => {
      await enterKeys(global, [entry], now());
    },
    enterLink: async (entry) => {
      await enterLinks(global, [entry], now());
    },
    async otherCellOfKey(token_hash) {
      const known = remembered.get(token_hash);
      if (known && known.until > monotonic_ms()) return known.name;
      const cell = await cellOf(global, 'key', token_hash).catch(({ message }: Error) => {
        logger.warn({ err: { message } }, 'cell of an unknown key not read');
        return undefined;
      });
      // Unknown keys are not remembered: guesses would evict real ones.
      if (!cell || cell.id === cell_id) return undefined;
      const name = cell.name as string;
      remembered.set(token_hash, { name, until: monotonic_ms() + REMEMBERED_MS });
      return name;
    },
  };
}
