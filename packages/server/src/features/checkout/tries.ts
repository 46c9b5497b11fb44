import { createSigner } from '../../platform/crypto/signer.ts';
import type { Db } from '../../platform/database/db.ts';
import { networkOf, siteOf } from '../../platform/rates/network-of.ts';
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
import { ABANDONS, KEY_FAILURES, maxOf, REPEATS, type TryLimit, tryLimits } from './try-limits.ts';

/**
 * Maximum number of fingerprinting pages per mounted form. Each typed card of another issuer needs
 * a page.
 */
const FINGERPRINT_PAGES_MAX = 10;

/** Counts a fingerprinting page of a form. Returns false beyond the limit. */
export type FingerprintTries = (session: MountSession) => boolean;

export function createFingerprintTries(monotonic_ms: () => number): FingerprintTries {
  const sessions = createQuota({
    requests: FINGERPRINT_PAGES_MAX,
    seconds: MOUNT_SECONDS,
    monotonic_ms,
  });
  return ({ nonce }) => sessions.take(nonce).granted;
}

/** Thrown beyond a limit of card attempts. Does not reveal which limit. */
export class TooManyTriesError extends Error {
  override name = 'TooManyTriesError';
  readonly retry_after_seconds: number;

  constructor(retry_after_seconds: number) {
    super('too many cards were tried');
    this.retry_after_seconds = retry_after_seconds;
  }
}

/** A mounted form with its network address. */
export interface FormCaller {
  readonly session: MountSession;
  readonly ip: string;
}

/** A form's request to verify a card. */
export interface CardEntryRequest extends FormCaller {
  /**
   * The encrypted card or the wallet's token, not decrypted. A request with equal texts repeats an
   * attempt.
   */
  readonly sealed: readonly string[];
}

/** A counted card attempt. */
export interface Try {
  /** Counts the attempt for its card, once the card is known. Throws `TooManyTriesError`. */
  withCard(fingerprint: string): Promise<void>;
  /**
   * Counts a failed attempt: the issuer refused this card or declined the previous one. Counts again
   * for the address, and as a failure of the key.
   */
  recordFailure(): Promise<void>;
}

export interface Tries {
  /** Counts an attempt for the form, its payment, key and address. Throws `TooManyTriesError`. */
  enter(request: CardEntryRequest): Promise<Try>;
  /**
   * Counts a card that the issuer refused after its challenge, once per authentication, like any
   * failed attempt.
   */
  recordChallengeFailure(caller: FormCaller, authentication: string): Promise<void>;
  /** Counts an abandoned attempt for its payment. Throws `TooManyTriesError`. */
  abandon(session: MountSession): Promise<void>;
}

export interface TriesOptions {
  readonly db: Db;
  readonly clock: Clock;
  /** Key of the hash of counted subjects: stored counts contain no card or address. */
  readonly key: Buffer;
}

/** A stored count: its hashed subject and its limit. */
interface Counter {
  readonly subject: string;
  readonly limit: TryLimit;
}

interface ExceededCounter extends Counter {
  readonly tries: number;
  /** End of the window. */
  readonly until: Micros;
}

/**
 * Counts card attempts, so that thieves cannot test stolen cards with the form. All processes share
 * the counts.
 */
export function createTries(options: TriesOptions): Tries {
  const counters = createCounters(options.key);
  return {
    async enter(request) {
      const { session, sealed } = request;
      const entryCounters = counters.entered(request);
      // Checks the limits before the first write, so that a refused attempt leaves no rows.
      refuseOver(options, reportableOf(session, await readCounts(options, entryCounters)));
      const repeatCounts = await countWithinLimits(
        options,
        session,
        [counters.sealed(session, sealed)],
        1,
      );
      // A repeated attempt adds nothing to the counts. The limits are still checked, so that
      // repetition does not bypass them.
      const tries = repeatCounts.every((repeatCount) => repeatCount.tries === 1) ? 1 : 0;
      await countWithinLimits(options, session, entryCounters, tries);
      await requireValidKey(options, session, counters.key(session), tries);
      return {
        async withCard(fingerprint) {
          await countWithinLimits(options, session, [counters.card(session, fingerprint)], tries);
        },
        async recordFailure() {
          await countFailure(options, counters.failure(request), tries);
        },
      };
    },
    async recordChallengeFailure(caller, authentication) {
      const [challengeCount] = await addToCounters(options, [
        [counters.challenge(authentication), 1],
      ]);
      if (challengeCount?.tries === 1) await countFailure(options, counters.failure(caller), 1);
    },
    async abandon(session) {
      await countWithinLimits(options, session, [counters.abandons(session)], 1);
    },
  };
}

function createCounters(key: Buffer) {
  const signer = createSigner(key);
  const counter = (limit: TryLimit, ...names: readonly string[]): Counter => ({
    subject: signer.sign(names.join('\n')),
    limit,
  });
  const siteCounters = (site: string | undefined, mode: string): Counter[] =>
    site === undefined ? [] : [counter(tryLimits.site_hour, 'site hour', mode, site)];
  const addressCounters = ({ session: { scope }, ip }: FormCaller): Counter[] => [
    counter(tryLimits.address_hour, 'address hour', scope.mode, networkOf(ip)),
    counter(tryLimits.address_day, 'address day', scope.mode, networkOf(ip)),
    ...siteCounters(siteOf(ip), scope.mode),
  ];
  const keyCounters = ({ token_id }: MountSession) => ({
    attempts: counter(KEY_FAILURES, 'key', token_id),
    failures: counter(KEY_FAILURES, 'key failures', token_id),
  });
  return {
    failure: (caller: FormCaller) => ({
      address: addressCounters(caller),
      ...keyCounters(caller.session),
    }),
    challenge: (authentication: string) => counter(REPEATS, 'challenge', authentication),
    abandons: ({ scope, payment_id }: MountSession) =>
      counter(ABANDONS, 'abandons', scope.merchant_id, payment_id),
    sealed: ({ nonce }: MountSession, sealed: readonly string[]) =>
      counter(REPEATS, 'sealed', nonce, ...sealed),
    entered: (request: CardEntryRequest) => {
      const { nonce, scope, payment_id } = request.session;
      return [
        counter(tryLimits.form, 'form', nonce),
        counter(tryLimits.payment, 'payment', scope.merchant_id, payment_id),
        ...addressCounters(request),
      ];
    },
    key: keyCounters,
    card: ({ scope }: MountSession, fingerprint: string) =>
      counter(tryLimits.card, 'card', scope.merchant_id, scope.mode, fingerprint),
  };
}

type Store = Pick<TriesOptions, 'db' | 'clock'>;
/** Number of attempts to add to a counter. */
type Addition = readonly [counter: Counter, tries: number];

async function addToCounters(
  { db, clock }: Store,
  additions: readonly Addition[],
): Promise<ExceededCounter[]> {
  const now = clock.now();
  const counts = additions.map(([{ subject, limit }, tries]) => ({
    subject,
    tries,
    expires_at: instantText(now + limit.window),
  }));
  const triesBySubject = await countTries(db, counts, instantText(now));
  return exceededOf(
    additions.map(([counter]) => counter),
    triesBySubject,
  );
}

/** Reads the stored counts of these counters. */
async function readCounts(
  { db, clock }: Store,
  counters: readonly Counter[],
): Promise<ExceededCounter[]> {
  const subjects = counters.map(({ subject }) => subject);
  return exceededOf(counters, await findTries(db, subjects, instantText(clock.now())));
}

const exceededOf = (
  counters: readonly Counter[],
  storedCounts: ReadonlyMap<string, TriesSoFar>,
): ExceededCounter[] =>
  counters.flatMap((counter) => {
    const so_far = storedCounts.get(counter.subject);
    return so_far ? [{ ...counter, tries: so_far.tries, until: microsOf(so_far.expires_at) }] : [];
  });

const reportableOf = (
  { scope }: MountSession,
  counts: readonly ExceededCounter[],
): ExceededCounter[] => counts.filter(({ tries, limit }) => tries > maxOf(limit, scope.mode));

/** Adds to the counts. Throws `TooManyTriesError` if one exceeds its limit. */
async function countWithinLimits(
  store: Store,
  session: MountSession,
  counters: readonly Counter[],
  tries: number,
): Promise<ExceededCounter[]> {
  const counts = await addToCounters(
    store,
    counters.map((counter) => [counter, tries]),
  );
  refuseOver(store, reportableOf(session, counts));
  return counts;
}

interface KeyCounters {
  readonly attempts: Counter;
  readonly failures: Counter;
}

/**
 * Counts a failure for the address and the key. Adds zero to the key's attempts too, so that both
 * windows of the key begin and end together.
 */
const countFailure = (
  store: Store,
  { address, attempts, failures }: KeyCounters & { readonly address: readonly Counter[] },
  tries: number,
): Promise<unknown> =>
  addToCounters(store, [
    ...address.map((counter): Addition => [counter, tries]),
    [attempts, 0],
    [failures, tries],
  ]);

async function requireValidKey(
  store: Store,
  { scope }: MountSession,
  { attempts, failures }: KeyCounters,
  tries: number,
): Promise<void> {
  const [allCounter, failureCounter] = (await addToCounters(store, [
    [attempts, tries],
    [failures, 0],
  ])) as [ExceededCounter, ExceededCounter];
  const failuresMax = maxOf(KEY_FAILURES, scope.mode);
  if (failureCounter.tries > failuresMax && failureCounter.tries * 2 >= allCounter.tries)
    refuseOver(store, [failureCounter]);
}

function refuseOver({ clock }: Store, exceededCounters: readonly ExceededCounter[]): void {
  if (exceededCounters.length === 0) return;
  const waitMicros = Math.max(...exceededCounters.map(({ until }) => until)) - clock.now();
  throw new TooManyTriesError(Math.max(1, Math.ceil(waitMicros / seconds(1))));
}
