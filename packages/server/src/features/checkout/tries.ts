import { createLru } from '@florin/contract/lru.ts';
import type { Secret } from '../../platform/crypto/key-ring.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { createQuota } from '../../platform/rates/quota.ts';
import { countTries, findTries, type TriesSoFar } from '../../platform/rates/shared-tries.ts';
import {
  type Clock,
  instantText,
  type Micros,
  microsOf,
  seconds,
} from '../../platform/time/clock.ts';
import { MOUNT_SECONDS, type MountSession } from './session.ts';
import { countProven, isPayerKnown } from './sql.ts';
import {
  type Counter,
  type Counters,
  countersText,
  createCounters,
  type FailureRate,
  type FormCaller,
  isOfKey,
  payerCounter,
} from './try-counters.ts';
import { maxOf } from './try-limits.ts';

/**
 * Maximum number of fingerprinting pages per mounted form. Each typed card of another issuer needs
 * a page.
 */
const FINGERPRINT_PAGES_MAX = 10;

/** Thrown beyond a limit of card attempts. Does not reveal which limit. */
export class TooManyTriesError extends Error {
  override name = 'TooManyTriesError';
  readonly retry_after_seconds: number;

  constructor(retry_after_seconds: number) {
    super('too many cards were tried');
    this.retry_after_seconds = retry_after_seconds;
  }
}

/** A mounted form's request to verify a card. */
export interface CardEntryRequest extends FormCaller {
  /**
   * The encrypted card or the wallet's token, not decrypted. A request with equal texts repeats an
   * attempt.
   */
  readonly sealed: readonly string[];
}

/** A counted card attempt. */
export interface Try {
  /** Hashed counters of the attempt, which count a later decline of its card. */
  readonly counters: string;
  /** Refuses a customer with too many failed cards. Throws `TooManyTriesError`. */
  withPayer(payer_id: string): Promise<void>;
  /**
   * Counts the attempt for its card and its key or link, once the vault has read the card. Throws
   * `TooManyTriesError`.
   */
  withCard(fingerprint: string): Promise<void>;
  /** Counts a card that its issuer refused: for address, prefix and key. */
  recordFailure(): Promise<void>;
}

export interface Tries {
  /**
   * Counts an attempt for the form, its payment, address and prefix. Nobody has read its card yet, so
   * it does not count for the key. Throws `TooManyTriesError`.
   */
  enter(request: CardEntryRequest): Promise<Try>;
  /**
   * Counts a card that the issuer refused after its challenge, once per authentication, like any
   * failed attempt.
   */
  recordChallengeFailure(caller: FormCaller, authentication: string): Promise<void>;
  /** Counts an abandoned attempt for its payment. Throws `TooManyTriesError`. */
  abandon(session: MountSession): Promise<void>;
  /** Counts a fingerprinting page for form, payment and address. Returns false beyond a limit. */
  mayFingerprint(caller: FormCaller): Promise<boolean>;
}

/** A refused attempt. */
export interface RefusedTry {
  readonly session: MountSession;
  /** Name of the exceeded limit. */
  readonly limit: string;
  /** End of the limit's window. */
  readonly until: Micros;
  /** Counter of alerts about the key or link; absent if its merchant is alerted already. */
  readonly alerts?: Counter;
}

export interface TriesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly monotonic_ms: () => number;
  /** Key of the hash of counted subjects: stored counts contain no card or address. */
  readonly key: Secret;
  /** Is told of each refused attempt. */
  readonly onRefused?: (refusal: RefusedTry) => Promise<void>;
}

interface Store extends Omit<TriesOptions, 'key'> {
  readonly counters: Counters;
  readonly provenOf: (scope: Scope) => Promise<number>;
}

/** A counter with its stored count. */
interface Count extends Counter {
  readonly tries: number;
  /** End of the window. */
  readonly until: Micros;
}

/**
 * Counts card attempts, so that thieves cannot test stolen cards with the form. All processes share
 * the counts.
 */
export function createTries({ key, ...options }: TriesOptions): Tries {
  const counters = createCounters(key);
  const store: Store = { ...options, counters, provenOf: createProvenOf(options) };
  const pages = createQuota({
    requests: FINGERPRINT_PAGES_MAX,
    seconds: MOUNT_SECONDS,
    monotonic_ms: options.monotonic_ms,
  });
  return {
    async enter(request) {
      const { session } = request;
      const sealed = counters.sealed(session, request.sealed);
      await refuseEntry(store, request, sealed);
      const { counts } = await countWithinLimits(store, session, [sealed], 1);
      // A repeated attempt adds nothing to the counts. The limits are still checked, so that
      // repetition does not bypass them.
      const tries = counts[0]?.tries === 1 ? 1 : 0;
      await countWithinLimits(store, session, counters.entered(request), tries);
      return createTry(store, request, tries);
    },
    async recordChallengeFailure(caller, authentication) {
      const [challenge] = await addToCounters(store, [[counters.challenge(authentication), 1]]);
      if (challenge?.tries === 1) await countFailure(store, counters.failure(caller), 1);
    },
    async abandon(session) {
      await countWithinLimits(store, session, [counters.abandons(session)], 1);
    },
    async mayFingerprint(caller) {
      if (!pages.take(caller.session.nonce).granted) return false;
      const counts = await addToCounters(
        store,
        counters.fingerprints(caller).map((counter) => [counter, 1]),
      );
      const exceeded = await findExceeded(store, caller.session, counts);
      await report(store, caller.session, exceeded[0]);
      return exceeded.length === 0;
    },
  };
}

function createTry(store: Store, request: CardEntryRequest, tries: number): Try {
  const { session } = request;
  const failure = store.counters.failure(request);
  return {
    counters: countersText(failure),
    async withPayer(payer_id) {
      const counter = payerCounter(session.scope.merchant_id, payer_id);
      await refuseBeyond(store, session, await readCounts(store, [counter]), 'reached');
    },
    async withCard(fingerprint) {
      await countWithinLimits(store, session, [store.counters.card(session, fingerprint)], tries);
      await countForKey(store, request, fingerprint);
    },
    async recordFailure() {
      await countFailure(store, failure, tries);
    },
  };
}

/** Time for which a merchant's number of approvals is kept, in milliseconds. */
const PROVEN_LIFE_MS = 5_000;
const PROVEN_SCOPES_MAX = 1_000;

/** Counts a merchant's approvals of the last day. Only attempts beyond the base limits need the number. */
function createProvenOf({ db, clock, monotonic_ms }: Omit<TriesOptions, 'key'>) {
  const numbers = createLru<{ readonly number: number; readonly until: number }>(PROVEN_SCOPES_MAX);
  return async (scope: Scope): Promise<number> => {
    const text = `${scope.merchant_id} ${scope.mode}`;
    const kept = numbers.get(text);
    if (kept && kept.until > monotonic_ms()) return kept.number;
    const number = await countProven(db, scope, instantText(clock.now() - seconds(DAY_SECONDS)));
    numbers.set(text, { number, until: monotonic_ms() + PROVEN_LIFE_MS });
    return number;
  };
}

const DAY_SECONDS = 24 * 60 * 60;

/** Number of attempts to add to a counter. */
type Addition = readonly [counter: Counter, tries: number];

/** Counts to add, for `countTries`. */
export const additionsOf = (additions: readonly Addition[], now: Micros) =>
  additions.map(([{ subject, limit }, tries]) => ({
    subject,
    tries,
    expires_at: instantText(now + limit.window),
  }));

async function addToCounters(
  { db, clock }: Store,
  additions: readonly Addition[],
): Promise<Count[]> {
  const now = clock.now();
  const stored = await countTries(db, additionsOf(additions, now), instantText(now));
  return countsOf(
    additions.map(([counter]) => counter),
    stored,
  );
}

/** Reads the stored counts of these counters. */
async function readCounts({ db, clock }: Store, counters: readonly Counter[]): Promise<Count[]> {
  const subjects = counters.map(({ subject }) => subject);
  return countsOf(counters, await findTries(db, subjects, instantText(clock.now())));
}

const countsOf = (counters: readonly Counter[], stored: ReadonlyMap<string, TriesSoFar>): Count[] =>
  counters.flatMap((counter) => {
    const so_far = stored.get(counter.subject);
    return so_far ? [{ ...counter, tries: so_far.tries, until: microsOf(so_far.expires_at) }] : [];
  });

/** Counts beyond their limits, of which approvals raise some. */
async function findExceeded(
  { provenOf }: Store,
  { scope }: MountSession,
  counts: readonly Count[],
): Promise<Count[]> {
  const exceeded = counts.filter(({ tries, limit }) => tries > maxOf(limit, scope.mode));
  if (!exceeded.some(({ limit }) => limit.per_approval)) return exceeded;
  const proven = await provenOf(scope);
  return exceeded.filter(
    ({ tries, limit }) => tries > maxOf(limit, scope.mode) + (limit.per_approval ?? 0) * proven,
  );
}

/**
 * Refuses an attempt before the first write, so that a refused attempt leaves no rows and opens no
 * closed key. Throws `TooManyTriesError`.
 */
async function refuseEntry(
  store: Store,
  request: CardEntryRequest,
  sealed: Counter,
): Promise<void> {
  const { counters } = store;
  const { session } = request;
  const { network, totals } = counters.key(request);
  const rates = counters.rates(request);
  const limited = [...counters.entered(request), network, ...totals];
  const rated = rates.flatMap(({ attempts, failures }) => [attempts, failures]);
  const counts = await readCounts(store, [sealed, ...limited, ...rated]);
  const bySubject = new Map(counts.map((count) => [count.subject, count]));
  const full = bySubject.has(sealed.subject) ? 'exceeded' : 'reached';
  const limitedCounts = limited.flatMap(({ subject }) => bySubject.get(subject) ?? []);
  await refuseBeyond(store, session, limitedCounts, full);
  await refuse(store, session, failingOf(rates, bySubject, session.scope.mode));
}

/**
 * Counts a card for its key or link, once a day. Counts the network first: a network beyond its share
 * adds nothing to the key, however many cards it sends at once. Throws `TooManyTriesError`.
 */
async function countForKey(
  store: Store,
  request: CardEntryRequest,
  fingerprint: string,
): Promise<void> {
  const { session } = request;
  const card = store.counters.keyCard(session, fingerprint);
  if ((await readCounts(store, [card])).length > 0) return;
  const { network, totals } = store.counters.key(request);
  const { isSpared } = await countWithinLimits(store, session, [network], 1);
  if (!isSpared) await countWithinLimits(store, session, totals, 1);
  await addToCounters(store, [[card, 1]]);
}

/** Adds to the counts. Throws `TooManyTriesError` if one exceeds its limit and does not spare the payer. */
async function countWithinLimits(
  store: Store,
  session: MountSession,
  counters: readonly Counter[],
  tries: number,
): Promise<{ readonly counts: Count[]; readonly isSpared: boolean }> {
  const counts = await addToCounters(
    store,
    counters.map((counter) => [counter, tries]),
  );
  return { counts, isSpared: await refuseBeyond(store, session, counts) };
}

/** Counts a card that failed before it was attached: address, prefix and key get an attempt and a failure. */
const countFailure = (
  store: Store,
  counters: readonly Counter[],
  tries: number,
): Promise<unknown> =>
  addToCounters(
    store,
    counters.map((counter): Addition => [counter, tries]),
  );

/** Counts of failures above their limit of subjects whose cards fail at least half of the time. */
const failingOf = (
  rates: readonly FailureRate[],
  bySubject: ReadonlyMap<string, Count>,
  mode: Scope['mode'],
): Count[] =>
  rates.flatMap(({ attempts, failures }) => {
    const failed = bySubject.get(failures.subject);
    if (!failed || failed.tries <= maxOf(failed.limit, mode)) return [];
    return failed.tries * 2 >= (bySubject.get(attempts.subject)?.tries ?? 0) ? [failed] : [];
  });

/** Like `refuse`, for counts beyond their limits; with `reached`, for full ones too. */
async function refuseBeyond(
  store: Store,
  session: MountSession,
  counts: readonly Count[],
  full: 'reached' | 'exceeded' = 'exceeded',
): Promise<boolean> {
  const next = full === 'reached' ? 1 : 0;
  const asked = counts.map((count) => ({ ...count, tries: count.tries + next }));
  return refuse(store, session, await findExceeded(store, session, asked));
}

/**
 * Throws `TooManyTriesError` if a limit is exceeded. Limits of a key spare customers who paid the
 * merchant before: returns whether they spared this one.
 */
async function refuse(
  store: Store,
  session: MountSession,
  exceeded: readonly Count[],
): Promise<boolean> {
  const [first] = exceeded;
  if (!first) return false;
  if (exceeded.every(isOfKey) && (await isPayerKnown(store.db, session))) return true;
  await report(store, session, exceeded.find(isOfKey) ?? first);
  const wait = Math.max(...exceeded.map(({ until }) => until)) - store.clock.now();
  throw new TooManyTriesError(Math.max(1, Math.ceil(wait / seconds(1))));
}

/** Reports a refusal, and whether it may be the first one of its key or link within a day. */
async function report(
  store: Store,
  session: MountSession,
  exceeded: Count | undefined,
): Promise<void> {
  if (!exceeded || !store.onRefused) return;
  const { name: limit, until } = exceeded;
  const alerts = store.counters.alerts(session);
  const isDue = isOfKey(exceeded) && (await readCounts(store, [alerts])).length === 0;
  await store.onRefused({ session, limit, until, ...(isDue && { alerts }) });
}
