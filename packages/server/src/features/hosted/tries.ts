import { type Clock, instantText, type Micros, microsOf, seconds } from '../../kernel/clock.ts';
import { createLimit } from '../../kernel/limit.ts';
import { networkOf } from '../../kernel/network-of.ts';
import { createSigner } from '../../kernel/signer.ts';
import { countTries, type TriesSoFar } from '../../store/card-tries.ts';
import type { Db } from '../../store/db.ts';
import { MOUNT_SECONDS, type MountSession } from './session.ts';
import { KEY_FAILURES, maxOf, REPEATS, type TryLimit, tryLimits } from './try-limits.ts';

/** Banks that one mounted form may have look at the browser: each card of another bank that is typed is one. */
const LOOKS_MAX = 10;

/** Whether a form may have a bank look at the browser once more. */
export type FingerprintTries = (session: MountSession) => boolean;

export function createFingerprintTries(clock: Clock): FingerprintTries {
  const sessions = createLimit({ clock, max: LOOKS_MAX, window: seconds(MOUNT_SECONDS) });
  return ({ nonce }) => sessions.take(nonce);
}

/** A limit is reached; which one is not told. */
export class TooManyTries extends Error {
  override name = 'TooManyTries';
  readonly retry_after_seconds: number;

  constructor(retry_after_seconds: number) {
    super('too many cards were tried');
    this.retry_after_seconds = retry_after_seconds;
  }
}

/** What a form sends to have verified. */
export interface Entering {
  readonly session: MountSession;
  /** The sealed card or the wallet's token, unread. The same texts again are the same try. */
  readonly sealed: readonly string[];
  readonly ip: string;
}

/** A card that is tried. */
export interface Try {
  /** Counts it for the card, once that is known. Throws `TooManyTries`. */
  withCard(fingerprint: string): Promise<void>;
  /** The bank refused it, or declined the one before: it counts once more for the address, and against the key. */
  failed(): Promise<void>;
}

export interface Tries {
  /** Counts for the form, its payment, key and address. Throws `TooManyTries`. */
  enter(entering: Entering): Promise<Try>;
}

export interface TriesOptions {
  readonly db: Db;
  readonly clock: Clock;
  /** Hashes what is counted, so that what is stored names nobody. */
  readonly key: Buffer;
}

/** One thing that is counted: what it is in the table, and the limit of it. */
interface Counter {
  readonly subject: string;
  readonly limit: TryLimit;
}

interface Counted extends Counter {
  readonly tries: number;
  /** When its window ends. */
  readonly until: Micros;
}

/** Counts the cards that are tried, so that stolen ones are not tested here. All processes share the counts. */
export function createTries(options: TriesOptions): Tries {
  const counters = createCounters(options.key);
  return {
    async enter(entering) {
      const { session, sealed } = entering;
      const sent = await take(options, session, [counters.sealed(session, sealed)], 1);
      // A repeat adds nothing, but is held to the limits: what was refused is not let in by sending it again.
      const tries = sent.every((one) => one.tries === 1) ? 1 : 0;
      await take(options, session, counters.entered(entering), tries);
      await requireGoodKey(options, session, counters.key(session), tries);
      return {
        async withCard(fingerprint) {
          await take(options, session, [counters.card(session, fingerprint)], tries);
        },
        async failed() {
          const { failures } = counters.key(session);
          await count(options, [...counters.address(entering), failures], tries);
        },
      };
    },
  };
}

function createCounters(key: Buffer) {
  const signer = createSigner(key);
  const counter = (limit: TryLimit, ...names: readonly string[]): Counter => ({
    subject: signer.sign(names.join('\n')),
    limit,
  });
  const address = ({ session: { scope }, ip }: Entering): Counter[] => [
    counter(tryLimits.address_hour, 'address hour', scope.mode, networkOf(ip)),
    counter(tryLimits.address_day, 'address day', scope.mode, networkOf(ip)),
  ];
  return {
    address,
    sealed: ({ nonce }: MountSession, sealed: readonly string[]) =>
      counter(REPEATS, 'sealed', nonce, ...sealed),
    entered: (entering: Entering) => {
      const { nonce, scope, payment_id } = entering.session;
      return [
        counter(tryLimits.form, 'form', nonce),
        counter(tryLimits.payment, 'payment', scope.merchant_id, payment_id),
        ...address(entering),
      ];
    },
    key: ({ token_id }: MountSession) => ({
      all: counter(KEY_FAILURES, 'key', token_id),
      failures: counter(KEY_FAILURES, 'key failures', token_id),
    }),
    card: ({ scope }: MountSession, fingerprint: string) =>
      counter(tryLimits.card, 'card', scope.merchant_id, scope.mode, fingerprint),
  };
}

type Store = Pick<TriesOptions, 'db' | 'clock'>;

async function count(
  { db, clock }: Store,
  counters: readonly Counter[],
  tries: number,
): Promise<Counted[]> {
  const now = clock.now();
  const counts = counters.map(({ subject, limit }) => ({
    subject,
    tries,
    expires_at: instantText(now + limit.window),
  }));
  const known = await countTries(db, counts, instantText(now));
  return counters.map((counter) => {
    const { tries, expires_at } = known.get(counter.subject) as TriesSoFar;
    return { ...counter, tries, until: microsOf(expires_at) };
  });
}

/** Counts, and throws where one of the limits is passed. */
async function take(
  store: Store,
  { scope }: MountSession,
  counters: readonly Counter[],
  tries: number,
): Promise<Counted[]> {
  const counted = await count(store, counters, tries);
  refuse(
    store,
    counted.filter((one) => one.tries > maxOf(one.limit, scope.mode)),
  );
  return counted;
}

async function requireGoodKey(
  store: Store,
  { scope }: MountSession,
  { all, failures }: { readonly all: Counter; readonly failures: Counter },
  tries: number,
): Promise<void> {
  const [tried] = await count(store, [all], tries);
  const failed = await count(store, [failures], 0);
  const most = maxOf(KEY_FAILURES, scope.mode);
  refuse(
    store,
    failed.filter((one) => one.tries > most && one.tries * 2 >= (tried?.tries ?? 0)),
  );
}

function refuse({ clock }: Store, passed: readonly Counted[]): void {
  if (passed.length === 0) return;
  const wait = Math.max(...passed.map(({ until }) => until)) - clock.now();
  throw new TooManyTries(Math.max(1, Math.ceil(wait / seconds(1))));
}
