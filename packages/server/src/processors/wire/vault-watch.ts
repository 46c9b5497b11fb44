import type { VaultHealth } from '@florin/contract/protocol/vault-health.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Clock, Micros } from '../../platform/time/clock.ts';
import type { ClockWatch } from '../../platform/time/clock-watch.ts';
import { createReopenBackOff, type OpenTimes } from './reopen-back-off.ts';
import type { VaultReport, Vaults } from './vaults.ts';

/** Probe intervals: while the vault accepts messages, and while it does not. */
const PROBE_MS = 1_000;
const DOWN_PROBE_MS = 500;

export const BREAKER_OPEN: OpenTimes = { shortest_ms: DOWN_PROBE_MS, longest_ms: 15_000 };

/** Last known status of this server's vaults. */
export interface VaultState {
  /** Whether the vault accepts messages. False from a failure until a probe succeeds. */
  isUp(): boolean;
  /** Time since which the vault has accepted no messages; undefined while it accepts them. */
  downSince(): Micros | undefined;
  /** The vault's own health report; undefined while it accepts no messages. */
  health(): VaultHealth | undefined;
  /** Each vault of this server, in the order of the configuration. */
  reports(): readonly VaultReport[];
  /** End of this server's certificate for vaults, in milliseconds since 1970; undefined without one. */
  certificateExpiresAt(): number | undefined;
}

/** Why vaults cannot be used, such as ` (CERT_HAS_EXPIRED)`; empty where nothing is known. */
export function faultText(reports: readonly Pick<VaultReport, 'fault'>[]): string {
  const faults = new Set(reports.flatMap(({ fault }) => fault ?? []));
  return faults.size === 0 ? '' : ` (${[...faults].join(', ')})`;
}

/** Circuit breaker of the vault. The first failure opens the breaker, a successful probe closes it. */
export interface VaultWatch extends VaultState, AsyncDisposable {
  /** Records that the vault answered a message. */
  recordSuccess(): void;
  /**
   * Records that one vault lost a message, or cannot send, such as without its database. Opens the breaker
   * unless another vault works.
   */
  recordLoss(): void;
}

export interface VaultWatchOptions {
  readonly vaults: Pick<Vaults, 'probe' | 'reports' | 'isAnyUp' | 'certificateExpiresAt'>;
  readonly clock: Clock;
  /** Comparison of the vault's clock, made with each probe. */
  readonly clocks: Pick<ClockWatch, 'compare'>;
  readonly logger: Pick<Logger, 'error' | 'info'>;
  /** Measures how long the breaker is open. Absent: the process's monotonic clock. */
  readonly monotonic_ms?: () => number;
  /** Called when the breaker closes. */
  readonly onUp: () => void;
}

/** Probes the vault once before the returned promise resolves, then regularly until disposal. */
export async function createVaultWatch(options: VaultWatchOptions): Promise<VaultWatch> {
  const { vaults, clock, clocks, logger, onUp } = options;
  const { monotonic_ms = () => performance.now() } = options;
  const state = { isClosed: false, isAnswered: false };
  const backOff = createReopenBackOff(BREAKER_OPEN, monotonic_ms);
  let health: VaultHealth | undefined;
  let down_since: Micros | undefined;
  let timer: NodeJS.Timeout | undefined;

  function recordFailure(): void {
    health = undefined;
    if (down_since !== undefined || state.isClosed) return;
    down_since = clock.now();
    backOff.recordOpened();
    const fault = faultText(vaults.reports());
    logger.error(`the vault accepts no messages${fault}: payments wait, see the vault's log`);
    scheduleProbe();
  }

  function recordHealth(newHealth: VaultHealth): void {
    const isDown = down_since !== undefined;
    if (isDown && !backOff.mayClose()) return;
    const wasUp = health !== undefined;
    health = newHealth;
    if (wasUp || state.isClosed) return;
    if (isDown) {
      logger.info('the vault accepts messages again');
      backOff.recordClosed();
    }
    down_since = undefined;
    onUp();
  }

  function scheduleProbe(): void {
    clearTimeout(timer);
    if (!state.isClosed) timer = setTimeout(probeNow, health ? PROBE_MS : DOWN_PROBE_MS).unref();
  }

  async function probeNow(): Promise<void> {
    state.isAnswered = false;
    const timeOf = ({ now }: VaultHealth): Micros => now * 1_000;
    await clocks.compare('vault', vaults.probe, timeOf).then(recordHealth, () => {
      // A message answered in the meantime proves more than this probe's failure.
      if (!state.isAnswered) recordFailure();
    });
    scheduleProbe();
  }

  await probeNow();
  return {
    isUp: () => health !== undefined,
    downSince: () => down_since,
    health: () => health,
    reports: vaults.reports,
    certificateExpiresAt: vaults.certificateExpiresAt,
    recordSuccess() {
      state.isAnswered = true;
    },
    recordLoss() {
      if (!vaults.isAnyUp()) recordFailure();
    },
    async [Symbol.asyncDispose]() {
      state.isClosed = true;
      clearTimeout(timer);
    },
  };
}
