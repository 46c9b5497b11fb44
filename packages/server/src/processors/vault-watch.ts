import { type VaultHealth, vaultPaths } from '@florin/contract/protocol/vault.ts';
import { Pool } from 'undici';
import type { Clock, Micros } from '../kernel/clock.ts';
import type { ClockWatch } from '../kernel/clock-watch.ts';
import type { Logger } from '../kernel/logger.ts';

/** How often the vault is probed while it takes messages, and while it does not. */
const PROBE_MS = 1_000;
const DOWN_PROBE_MS = 500;
/** Long, as a busy vault is not a dead one. */
const PROBE_TIMEOUT_MS = 5_000;

/** The vault of this server, as it was seen last. */
export interface VaultState {
  /** Whether it takes messages. False from a failure on, until a probe is answered. */
  isUp(): boolean;
  /** Since when it has taken none; undefined while it does. */
  downSince(): Micros | undefined;
  /** How it says that it is; undefined while it takes no messages. */
  health(): VaultHealth | undefined;
}

/** A circuit breaker. The first message that fails opens it, and a probe that is answered closes it. */
export interface VaultWatch extends VaultState, AsyncDisposable {
  /** The vault answered a message. */
  heard(): void;
  /** A message found no vault, or a vault that cannot work. */
  missed(): void;
}

export interface VaultWatchOptions {
  readonly socketPath: string;
  readonly clock: Clock;
  /** Compares the vault's clock with each probe. */
  readonly clocks: Pick<ClockWatch, 'compare'>;
  readonly logger: Pick<Logger, 'error' | 'info'>;
  /** Called when the breaker closes. */
  readonly onUp: () => void;
}

/** Probes the vault once before it resolves, and then until it is disposed of. */
export async function createVaultWatch(options: VaultWatchOptions): Promise<VaultWatch> {
  const { socketPath, clock, clocks, logger, onUp } = options;
  // A connection of its own: messages may hold all of theirs.
  const pool = new Pool('http://vault', { connect: { socketPath }, connections: 1 });
  const state = { isClosed: false, isHeard: false };
  let health: VaultHealth | undefined;
  let down_since: Micros | undefined;
  let timer: NodeJS.Timeout | undefined;

  function missed(): void {
    health = undefined;
    if (down_since !== undefined || state.isClosed) return;
    down_since = clock.now();
    logger.error('the vault takes no messages: payments wait until it does, see its log');
    again();
  }

  function answered(found: VaultHealth): void {
    const wasUp = health !== undefined;
    health = found;
    if (wasUp || state.isClosed) return;
    if (down_since !== undefined) logger.info('the vault takes messages again');
    down_since = undefined;
    onUp();
  }

  function again(): void {
    clearTimeout(timer);
    if (!state.isClosed) timer = setTimeout(look, health ? PROBE_MS : DOWN_PROBE_MS).unref();
  }

  async function look(): Promise<void> {
    state.isHeard = false;
    const timeOf = ({ now }: VaultHealth): Micros => now * 1_000;
    await clocks
      .compare('vault', () => probe(pool), timeOf)
      .then(answered, () => {
        // Answers to messages since then say more than a probe that had to wait.
        if (!state.isHeard) missed();
      });
    again();
  }

  await look();
  return {
    isUp: () => health !== undefined,
    downSince: () => down_since,
    health: () => health,
    heard() {
      state.isHeard = true;
    },
    missed,
    async [Symbol.asyncDispose]() {
      state.isClosed = true;
      clearTimeout(timer);
      await pool.destroy();
    },
  };
}

/** Rejects where the vault does not answer that it can work. */
async function probe(pool: Pool): Promise<VaultHealth> {
  const { statusCode, body } = await pool.request({
    method: 'GET',
    path: vaultPaths.health,
    headersTimeout: PROBE_TIMEOUT_MS,
    bodyTimeout: PROBE_TIMEOUT_MS,
  });
  if (statusCode === 200) return (await body.json()) as VaultHealth;
  await body.dump();
  throw new Error(`The vault answered ${statusCode}.`);
}
