import type { VaultVerb } from '@florin/contract/protocol/vault-health.ts';
import type { Audit } from '../audit/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import type { Log } from '../kernel/logger.ts';
import type { Scope } from '../kernel/scope.ts';
import type { Db } from '../store/db.ts';
import { countAlike } from './alike-counts.ts';
import {
  countNewNumber,
  findNumberLimits,
  isImportOpen,
  maxOf,
  REFUSED_NUMBERS_MAX,
  takeImportNumber,
} from './new-numbers.ts';
import { findNumberCounts } from './number-counts.ts';

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
/**
 * New numbers per day with the same first six and last four digits, of one merchant in one mode. All vaults of a
 * database count together. After one more, every such number is refused that day, so that a refusal tells nothing. An
 * attacker who tries all 100,000 possible numbers of one card needs years.
 */
export const ALIKE_MAX = 20;

export interface Limits {
  /** Counts a call. False beyond the limit, which raises an alarm once a minute. */
  allows(verb: VaultVerb, scope: Scope): boolean;
  /** Counts a call. Throws `limited` beyond the limit. */
  require(verb: VaultVerb, scope: Scope): void;
  /**
   * Throws `limited` if too many new numbers were tried today: then known numbers are refused too. Otherwise the ones that
   * are taken would be those of stored cards. `alikeMark` is the same for numbers with the same first and last digits.
   */
  requireTries(scope: Scope, alikeMark: string): Promise<void>;
  /**
   * Counts a number that the merchant never entered before, in the database. Throws `limited` if too many are alike, or
   * new, unless an operator opened an import.
   */
  requireNewNumber(scope: Scope, alikeMark: string): Promise<void>;
  /** Calls since the start, by verb. */
  calls(): Readonly<Record<VaultVerb, number>>;
  /** Calls beyond a limit since the start, by verb. */
  refused(): Readonly<Record<VaultVerb, number>>;
}

/** Limit that a merchant exceeds. */
type LimitKind = 'calls' | 'alike_numbers' | 'new_numbers';

interface LimitDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly audit: Pick<Audit, 'enqueue'>;
}

/** Limits of what a server may ask for each merchant, also if somebody else runs that server. */
export function createLimits(
  { db, clock, log, audit }: LimitDeps,
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

  function refuseNumber(): never {
    refusedCounts.ingest += 1;
    throw new VaultRefusal('limited', 'The merchant entered too many new cards today.');
  }

  /** `count` is undefined beyond what is counted. The first number above a limit raises the alarm of the day. */
  function requireCount(
    scope: Scope,
    what: LimitKind,
    count: number | undefined,
    [max, ...furtherMaxima]: readonly [number, ...number[]],
  ): void {
    if (count !== undefined && count <= max) return;
    const isFirst = [max, ...furtherMaxima].some((limit) => count === limit + 1);
    if (isFirst) raiseAlarm('ingest', scope, what);
    refuseNumber();
  }

  return {
    allows,
    require(verb, scope) {
      if (!allows(verb, scope)) throw limitedRefusal();
    },
    async requireTries({ merchant_id, mode }, mark) {
      const now = clock();
      const counts = await findNumberCounts(db, { merchant_id, mode, mark, now });
      if (isImportOpen(counts, now)) return;
      const isExhausted =
        counts.alike_count > ALIKE_MAX || counts.new_count > maxOf(counts) + REFUSED_NUMBERS_MAX;
      if (isExhausted) refuseNumber();
    },
    async requireNewNumber({ merchant_id, mode }, mark) {
      const scope = { merchant_id, mode };
      const now = clock();
      const limitsOfMerchant = await findNumberLimits(db, scope);
      if (isImportOpen(limitsOfMerchant, now) && (await takeImportNumber(db, scope, now))) return;
      const alikeCount = await countAlike(db, { ...scope, mark, now }, ALIKE_MAX);
      requireCount(scope, 'alike_numbers', alikeCount, [ALIKE_MAX]);
      const max = maxOf(limitsOfMerchant);
      const lastMax = max + REFUSED_NUMBERS_MAX;
      const newCount = await countNewNumber(db, scope, now, lastMax);
      requireCount(scope, 'new_numbers', newCount, [max, lastMax]);
    },
    calls: () => callCounts,
    refused: () => refusedCounts,
  };
}

const limitedRefusal = (): VaultRefusal =>
  new VaultRefusal('limited', 'The limit of this merchant is reached. Call again in a minute.');
