import type { VaultVerb } from '@florin/contract/protocol/vault-health.ts';
import type { Audit } from '../audit/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import type { Log } from '../kernel/logger.ts';
import type { Scope } from '../kernel/scope.ts';
import { createNumberTries, type NumberLimitKind, type NumberTries } from './number-tries.ts';

/** Calls per minute of one merchant in one mode, per vault. */
export type LimitsConfig = Readonly<Record<VaultVerb, number>>;

export const LIMITS_DEFAULT: LimitsConfig = {
  ingest: 6_000,
  describe: 6_000,
  attach: 12_000,
  // The server's worker tries again after 30 seconds, so that many cards discarded at once only take longer.
  destroy: 12_000,
  relay: 120_000,
};

const MINUTE_MS = 60_000;
export interface Limits extends NumberTries {
  /** Counts a call. False beyond the limit, which raises an alarm once a minute. */
  allows(verb: VaultVerb, scope: Scope): boolean;
  /** Counts a call. Throws `limited` beyond the limit. */
  require(verb: VaultVerb, scope: Scope): void;
  /** Calls since the start, by verb. */
  calls(): Readonly<Record<VaultVerb, number>>;
  /** Calls beyond a limit since the start, by verb. */
  refused(): Readonly<Record<VaultVerb, number>>;
}

/** Limit that a merchant exceeds. */
type LimitKind = 'calls' | NumberLimitKind;

interface LimitDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly audit: Pick<Audit, 'enqueue'>;
}

/** Limits of what a server may ask for each merchant, also if somebody else runs that server. */
export function createLimits(
  { clock, log, audit }: LimitDeps,
  limits: LimitsConfig = LIMITS_DEFAULT,
): Limits {
  const callCounts = { ingest: 0, describe: 0, attach: 0, destroy: 0, relay: 0 };
  const refusedCounts = { ingest: 0, describe: 0, attach: 0, destroy: 0, relay: 0 };
  let minute = 0;
  let counts = new Map<string, number>();

  function raiseAlarm(verb: VaultVerb, scope: Scope, what: LimitKind): void {
    log({ event: 'limit_exceeded', verb, what, ...scope });
    audit.enqueue({ actor: 'server', verb, ...scope, outcome: `limited_${what}` });
  }

  function allows(verb: VaultVerb, scope: Scope): boolean {
    callCounts[verb] += 1;
    const currentMinute = Math.floor(clock() / MINUTE_MS);
    if (currentMinute !== minute) counts = new Map();
    minute = currentMinute;
    const key = `${verb}:${scope.mode}:${scope.merchant_id}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count <= limits[verb]) return true;
    refusedCounts[verb] += 1;
    if (count === limits[verb] + 1) raiseAlarm(verb, scope, 'calls');
    return false;
  }

  const tries = createNumberTries({
    raiseAlarm: (scope, what) => raiseAlarm('ingest', scope, what),
    countRefused: () => {
      refusedCounts.ingest += 1;
    },
  });

  return {
    allows,
    require(verb, scope) {
      if (!allows(verb, scope)) throw limitedRefusal();
    },
    ...tries,
    calls: () => callCounts,
    refused: () => refusedCounts,
  };
}

const limitedRefusal = (): VaultRefusal =>
  new VaultRefusal('limited', 'The limit of this merchant is reached. Call again in a minute.');
