import type { VelocityLimit } from '@florin/contract/risk/velocity.ts';
import type { RiskFacts, Tally } from './decide.ts';

/**
 * Maximum attempts of one card or payer that a count reads, newest first. More would delay the payments of all merchants,
 * and no shopper makes as many within a day.
 */
export const ATTEMPTS_READ_MAX = 10_000;

/** Count of one limit for one card, payer or merchant. */
export interface Count {
  /** Number of declines, or amount in minor units. */
  readonly total: number;
  /** Fingerprints of the cards that a payer has used. */
  readonly cards: readonly string[];
  /** Whether the card or payer has more attempts in the window than were counted. */
  readonly is_partial: boolean;
}

const NONE: Count = { total: 0, cards: [], is_partial: false };

/** Creates a tally from stored counts, by `countKey`. */
export function createTally(storedCounts: ReadonlyMap<string, Count> = new Map()): Tally {
  const counts = new Map(storedCounts);
  const countOf = (limit: VelocityLimit, facts: RiskFacts): Count =>
    counts.get(countKey(limit, facts)) ?? NONE;
  return {
    exceeds: (limit, facts) =>
      appliesTo(limit, facts) && isBeyond(limit, facts, countOf(limit, facts)),
    add(facts) {
      for (const limit of facts.limits.filter((limit) => appliesTo(limit, facts))) {
        counts.set(countKey(limit, facts), withPayment(limit, facts, countOf(limit, facts)));
      }
    },
  };
}

/** Key of a limit's count for the card, payer or merchant of a payment. */
export const countKey = (limit: VelocityLimit, facts: RiskFacts): string => {
  const { merchant_id, mode } = facts.scope;
  return [merchant_id, mode, limit.id, limit.kind, subjectOf(limit, facts)].join(' ');
};

/** Card, payer or merchant whose payments a limit counts. */
export function subjectOf({ kind }: VelocityLimit, { card, payer_id, scope }: RiskFacts): string {
  if (kind === 'merchant_declines') return scope.merchant_id;
  return kind === 'payer_cards' ? payer_id : card.fingerprint;
}

/** Whether a limit applies to a payment. */
export const appliesTo = ({ amount_currency }: VelocityLimit, facts: RiskFacts): boolean =>
  amount_currency === null || amount_currency === facts.amount_currency;

function isBeyond(limit: VelocityLimit, facts: RiskFacts, count: Count): boolean {
  const { kind, max_count } = limit;
  const { total, cards, is_partial } = count;
  switch (kind) {
    // The newest attempts show whether a card is tested now. If most of them succeed, older declines decide nothing.
    case 'card_declines':
      return total >= Math.min(max_count, ATTEMPTS_READ_MAX);
    case 'merchant_declines':
      return total >= max_count;
    // Money that was not counted may exceed the limit, so only a refusal is safe.
    case 'card_amount':
      return is_partial || total + facts.amount_cents > max_count;
    // Cards that were not counted may exceed the limit. A counted card adds none.
    case 'payer_cards':
      return !cards.includes(facts.card.fingerprint) && (is_partial || cards.length >= max_count);
  }
}

/**
 * Count after the payment. A decline counts when it is known, unless the limit also counts payments
 * in flight.
 */
function withPayment(limit: VelocityLimit, facts: RiskFacts, count: Count): Count {
  const { total, cards } = count;
  const { fingerprint } = facts.card;
  switch (limit.kind) {
    case 'card_amount':
      return { ...count, total: total + facts.amount_cents };
    case 'payer_cards':
      return { ...count, cards: cards.includes(fingerprint) ? cards : [...cards, fingerprint] };
    default:
      return { ...count, total: total + (limit.counts_open && facts.by_customer ? 1 : 0) };
  }
}
