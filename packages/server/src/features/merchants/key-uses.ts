import { createLru } from '@florin/contract/lru.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Clock, instantText } from '../../platform/time/clock.ts';
import { touchKeys } from './sql/key-uses.ts';

/** Records the time of the last use of keys. */
export interface KeyUses {
  /** Records that a key was used. Returns immediately and never throws. */
  record(caller: Pick<Caller, 'token_id' | 'scope'>): void;
  close(): Promise<void>;
}

export interface KeyUsesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly monotonic_ms: () => number;
}

/** Shortest interval between two stored uses of the same key. */
const EVERY_MS = 60_000;
/** Milliseconds for which uses of keys are gathered into one statement. */
const GATHER_MS = 500;
/** Maximum number of keys in memory. Uses of further keys may be stored more often. */
const KEYS_MAX = 10_000;

interface Use {
  readonly merchant_id: string;
  readonly id: string;
  readonly at: string;
}

export function createKeyUses({ db, clock, logger, monotonic_ms }: KeyUsesOptions): KeyUses {
  const latestUses = createLru<number>(KEYS_MAX);
  let gatheredUses: Use[] = [];
  let timer: NodeJS.Timeout | undefined;
  let pendingWrite: Promise<void> = Promise.resolve();

  const store = (): void => {
    timer = undefined;
    const uses = gatheredUses.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    gatheredUses = [];
    if (uses.length === 0) return;
    pendingWrite = pendingWrite
      .then(() => touchKeys(db, uses))
      .catch((error: { code?: string }) => {
        logger.warn({ err: { code: error.code } }, 'last uses of API keys not stored');
      });
  };

  return {
    record({ token_id, scope: { merchant_id } }) {
      const now = monotonic_ms();
      const lastStoredAt = latestUses.get(token_id);
      if (lastStoredAt !== undefined && now - lastStoredAt < EVERY_MS) return;
      latestUses.set(token_id, now);
      gatheredUses.push({ merchant_id, id: token_id, at: instantText(clock.now()) });
      timer ??= setTimeout(store, GATHER_MS);
    },
    async close() {
      clearTimeout(timer);
      store();
      await pendingWrite;
    },
  };
}
