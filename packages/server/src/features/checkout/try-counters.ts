import type { Secret } from '../../platform/crypto/key-ring.ts';
import { createSigner } from '../../platform/crypto/signer.ts';
import { networkOf, prefixOf } from '../../platform/rates/network-of.ts';
import type { MountSession } from './session.ts';
import {
  ABANDONS,
  ALERTS,
  fingerprintLimits,
  KEY_CARD,
  KEY_FAILURES,
  PREFIX_FAILURES,
  REPEATS,
  type TryLimit,
  tryLimits,
} from './try-limits.ts';

/** A mounted form with its network address. */
export interface FormCaller {
  readonly session: MountSession;
  readonly ip: string;
}

/** A stored count: its hashed subject and its limit. */
export interface Counter {
  /** Name of the limit, for metrics. */
  readonly name: string;
  readonly subject: string;
  readonly limit: TryLimit;
}

/** Counters whose subject is closed while at least half of its cards fail. */
export interface FailureRate {
  /** Cards that were attached to a payment, or failed before. Refused and unread cards do not count. */
  readonly attempts: Counter;
  readonly failures: Counter;
}

/** Limits that a failed card counts for, by the name that an authentication stores. */
const failureLimits = {
  address_hour: tryLimits.address_hour,
  address_day: tryLimits.address_day,
  prefix_attempts: PREFIX_FAILURES,
  prefix_failures: PREFIX_FAILURES,
  key_attempts: KEY_FAILURES,
  key_failures: KEY_FAILURES,
} as const satisfies Record<string, TryLimit>;
type FailureName = keyof typeof failureLimits;

/** Counter of the failed cards of a customer. Ids of customers reveal nothing, so they are not hashed. */
export const payerCounter = (merchant_id: string, payer_id: string): Counter => ({
  name: 'payer_failures',
  subject: `payer ${merchant_id} ${payer_id}`,
  limit: tryLimits.payer_failures,
});

/** Creates counters whose subjects are hashed with `key`: stored counts contain no address or card. */
export function createCounters(key: Secret) {
  const signer = createSigner(key);
  const counter: CounterFactory = (name, limit, ...subject) => ({
    name,
    subject: signer.sign(subject.join('\n')),
    limit,
  });
  const addressCounters = ({ session: { scope }, ip }: FormCaller): Counter[] => [
    counter('address_hour', tryLimits.address_hour, 'address hour', scope.mode, networkOf(ip)),
    counter('address_day', tryLimits.address_day, 'address day', scope.mode, networkOf(ip)),
  ];
  const keyRate = ({ token_id }: MountSession): FailureRate => ({
    attempts: counter('key_attempts', KEY_FAILURES, 'key', token_id),
    failures: counter('key_failures', KEY_FAILURES, 'key failures', token_id),
  });
  const prefixRate = (caller: FormCaller): FailureRate => ({
    attempts: counter('prefix_attempts', PREFIX_FAILURES, 'prefix', prefixText(caller)),
    failures: counter('prefix_failures', PREFIX_FAILURES, 'prefix failures', prefixText(caller)),
  });
  return {
    rates: (caller: FormCaller): FailureRate[] => [keyRate(caller.session), prefixRate(caller)],
    failure: (caller: FormCaller): Counter[] => [
      ...addressCounters(caller),
      ...Object.values(keyRate(caller.session)),
      ...Object.values(prefixRate(caller)),
    ],
    challenge: (authentication: string) => counter('repeats', REPEATS, 'challenge', authentication),
    abandons: ({ scope, payment_id }: MountSession) =>
      counter('abandons', ABANDONS, 'abandons', scope.merchant_id, payment_id),
    fingerprints: ({ session: { scope, payment_id }, ip }: FormCaller): Counter[] => [
      counter(
        'fingerprint_payment',
        fingerprintLimits.payment,
        'fingerprints',
        scope.merchant_id,
        payment_id,
      ),
      counter(
        'fingerprint_address',
        fingerprintLimits.address,
        'fingerprint address',
        scope.mode,
        networkOf(ip),
      ),
    ],
    sealed: ({ nonce }: MountSession, sealed: readonly string[]) =>
      counter('repeats', REPEATS, 'sealed', nonce, ...sealed),
    entered: (caller: FormCaller): Counter[] => {
      const { nonce, scope, payment_id } = caller.session;
      return [
        counter('form', tryLimits.form, 'form', nonce),
        counter('payment', tryLimits.payment, 'payment', scope.merchant_id, payment_id),
        ...addressCounters(caller),
        counter('prefix_hour', tryLimits.prefix_hour, 'prefix hour', prefixText(caller)),
      ];
    },
    ...keyCounters(counter),
    card: ({ scope }: MountSession, fingerprint: string) =>
      counter('card', tryLimits.card, 'card', scope.merchant_id, scope.mode, fingerprint),
  };
}

type CounterFactory = (name: string, limit: TryLimit, ...subject: readonly string[]) => Counter;

/** Counters of the cards at a key or link. */
const keyCounters = (counter: CounterFactory) => ({
  key: (caller: FormCaller) => {
    const { token_id } = caller.session;
    const { key_network, key_hour, key_day } = tryLimits;
    return {
      /** Share of the caller's network. */
      network: counter('key_network', key_network, 'key network', token_id, prefixText(caller)),
      totals: [
        counter('key_hour', key_hour, 'key hour', token_id),
        counter('key_day', key_day, 'key day', token_id),
      ],
    };
  },
  keyCard: ({ token_id }: MountSession, fingerprint: string) =>
    counter('key_card', KEY_CARD, 'key card', token_id, fingerprint),
  alerts: ({ token_id }: MountSession) => counter('alerts', ALERTS, 'alerts', token_id),
});

const prefixText = ({ session: { scope }, ip }: FormCaller): string =>
  `${scope.mode}\n${prefixOf(ip) ?? ip}`;

export type Counters = ReturnType<typeof createCounters>;

/** Whether a limit protects the merchant, not one form or address. */
export const isOfKey = ({ name }: Pick<Counter, 'name'>): boolean => name.startsWith('key_');

/**
 * Number that a declined charge adds to a counter. The card counted as attempt when it was attached.
 * Zero aligns the window of attempts with that of failures.
 */
export const failuresOf = ({ name }: Pick<Counter, 'name'>): number =>
  isOfAttempts({ name }) ? 0 : 1;

/** Whether a counter counts the cards of a failure rate, failed or not. */
export const isOfAttempts = ({ name }: Pick<Counter, 'name'>): boolean =>
  name.endsWith('_attempts');

/** Text of counters, to store them with an authentication until its card is charged. */
export const countersText = (counters: readonly Counter[]): string =>
  JSON.stringify(counters.map(({ name, subject }) => [name, subject]));

/** Parses the text of `countersText`. */
export const countersOf = (text: string): Counter[] =>
  (JSON.parse(text) as [FailureName, string][]).map(([name, subject]) => ({
    name,
    subject,
    limit: failureLimits[name],
  }));
