import type { VelocityLimit } from '@florin/contract/risk/velocity.ts';
import type { RiskFacts, Tally } from './decide.ts';

/** Count of one limit for one card, payer or merchant. */
export interface Count {
  /** Number of declines, or amount in minor units. */
  readonly total: number;
  /** Fingerprints of the cards that a payer has used. */
  readonly cards: readonly string[];
}

const NONE: Count = { total: 0, cards: [] };

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

function isBeyond(limit: VelocityLimit, facts: RiskFacts, { total, cards }: Count): boolean {
  const { kind, max_count } = limit;
  switch (kind) {
    case 'card_declines':
    case 'merchant_declines':
      return total >= max_count;
    case 'card_amount':
      return total + facts.amount_cents > max_count;
    case 'payer_cards':
      return !cards.includes(facts.card.fingerprint) && cards.length >= max_count;
  }
}

/**
 * Count after the payment. A decline counts when it is known, unless the limit also counts payments
 * in flight.
 */
function withPayment(limit: VelocityLimit, facts: RiskFacts, { total, cards }: Count): Count {
  const { fingerprint } = facts.card;
  switch (limit.kind) {
    case 'card_amount':
      return { total: total + facts.amount_cents, cards };
    case 'payer_cards':
      return { total, cards: cards.includes(fingerprint) ? cards : [...cards, fingerprint] };
    default:
      return { total: total + (limit.counts_open && facts.by_customer ? 1 : 0), cards };
  }
}
