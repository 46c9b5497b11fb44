import { createLru } from '@florin/contract/lru.ts';
import type { VaultVerb } from '@florin/contract/protocol/vault-health.ts';
import type { Audit } from '../audit/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import type { Log } from '../kernel/logger.ts';
import type { Scope } from '../kernel/scope.ts';

/** Calls per minute of one merchant in one mode, per vault. */
export type LimitsConfig = Readonly<Record<VaultVerb, number>>;

export const LIMITS_DEFAULT: LimitsConfig = {
  ingest: 6_000,
  describe: 6_000,
  attach: 12_000,
  relay: 120_000,
};

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/**
 * New numbers per day with the same first six and last four digits, of one merchant in one mode. An attacker who tries
 * all 100,000 possible numbers needs years.
 */
export const ALIKE_MAX = 20;
const ALIKE_COUNTS_KEPT = 50_000;

export interface Limits {
  /** Counts a call. False beyond the limit, which raises an alarm once a minute. */
  allows(verb: VaultVerb, scope: Scope): boolean;
  /** Counts a call. Throws `limited` beyond the limit. */
  require(verb: VaultVerb, scope: Scope): void;
  /** Counts a number that the merchant never entered before. Throws `limited` if too many are alike. */
  requireNewNumber(scope: Scope, number: string): void;
  /** Calls beyond a limit since the start, by verb. */
  refused(): Readonly<Record<VaultVerb, number>>;
}

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
  const refusedCounts = { ingest: 0, describe: 0, attach: 0, relay: 0 };
  const alikeCounts = createLru<number>(ALIKE_COUNTS_KEPT);
  let minute = 0;
  let counts = new Map<string, number>();

  function raiseAlarm(verb: VaultVerb, scope: Scope, what: 'calls' | 'alike_numbers'): void {
    log({ event: 'limit_exceeded', verb, what, ...scope });
    audit.enqueue({ actor: 'server', verb, ...scope, outcome: `limited_${what}` });
  }

  function allows(verb: VaultVerb, scope: Scope): boolean {
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

  return {
    allows,
    require(verb, scope) {
      if (!allows(verb, scope)) throw limitedRefusal();
    },
    requireNewNumber({ merchant_id, mode }, number) {
      const day = Math.floor(clock() / DAY_MS);
      const key = [day, mode, merchant_id, number.slice(0, 6), number.slice(-4)].join(':');
      const count = (alikeCounts.get(key) ?? 0) + 1;
      alikeCounts.set(key, count);
      if (count <= ALIKE_MAX) return;
      refusedCounts.ingest += 1;
      if (count === ALIKE_MAX + 1) raiseAlarm('ingest', { merchant_id, mode }, 'alike_numbers');
      throw limitedRefusal();
    },
    refused: () => refusedCounts,
  };
}

const limitedRefusal = (): VaultRefusal =>
  new VaultRefusal('limited', 'The limit of this merchant is reached. Call again in a minute.');
