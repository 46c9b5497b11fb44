import type { VelocityKind, VelocityLimit } from '@florin/contract/risk/velocity.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideRisk, type ListMatch, type RiskFacts } from './decide.ts';
import { ATTEMPTS_READ_MAX, countKey, createTally } from './tally.ts';

const blockedCard = { bin: '491730', last_four: '0000', fingerprint: 'f-blocked' };
const riskyCard = { bin: '540772', last_four: '3481', fingerprint: 'f-risky' };

const facts = (changes: Partial<RiskFacts> = {}): RiskFacts => ({
  scope: { merchant_id: 'm', mode: 'sandbox' },
  amount_cents: 1000,
  amount_currency: 'USD',
  payer_id: 'p',
  payer_blocked: false,
  by_customer: true,
  card: { bin: '400551', last_four: '0004', fingerprint: 'f' },
  matches: [],
  limits: [],
  ...changes,
});

const blockMatch: ListMatch = { id: 'b', list: 'block', kind: 'email' };
const allowMatch: ListMatch = { id: 'a', list: 'allow', kind: 'bin' };

const limitOf = (kind: VelocityKind, max_count: number): VelocityLimit => ({
  id: `l-${kind}`,
  kind,
  window_seconds: 3600,
  max_count,
  amount_currency: kind === 'card_amount' ? 'USD' : null,
});
const reachedLimit = limitOf('card_amount', 999);

const decide = (changes: Partial<RiskFacts>) => decideRisk(facts(changes), createTally());

describe('the rules', () => {
  it('have no verdict on an ordinary payment', () => {
    expect(decide({})).toEqual({ outcome: null });
  });

  it.each([
    [
      'a blocked payer',
      { payer_blocked: true, matches: [blockMatch, allowMatch] },
      'customer_blocked',
    ],
    ['a block list', { matches: [allowMatch, blockMatch], card: blockedCard }, 'blocked'],
    [
      'the block list of the sandbox',
      { card: blockedCard, matches: [allowMatch] },
      'always_blocked',
    ],
    [
      'an allow list',
      { matches: [allowMatch], limits: [reachedLimit], card: riskyCard },
      undefined,
    ],
    ['a limit', { limits: [reachedLimit], card: riskyCard }, 'velocity_exceeded'],
    ['a score', { card: riskyCard }, 'highest_risk'],
  ] as const)('give %s priority over later ones', (_rule, changes, refusal) => {
    expect(decide(changes).refusal).toBe(refusal);
  });

  it('name the rule that decided, and not the compared value', () => {
    expect([blockMatch, allowMatch].map((match) => decide({ matches: [match] }).outcome)).toEqual([
      { decision: 'refused', rule: 'block_list', kind: 'email', id: 'b' },
      { decision: 'allowed', rule: 'allow_list', kind: 'bin', id: 'a' },
    ]);
  });

  it('know the sandbox cards only in the sandbox', () => {
    const scope = { merchant_id: 'm', mode: 'live' } as const;
    const liveRefusals = [blockedCard, riskyCard].map((card) => decide({ scope, card }).refusal);
    expect(liveRefusals).toEqual([undefined, undefined]);
  });

  it('list the checks that spoke against a payment', () => {
    expect(decide({ card: riskyCard }).checks).toEqual({
      cvc2_check: 'match',
      address_line1_verification: 'mismatch',
      postal_code_verification: 'mismatch',
    });
  });
});

describe('a limit', () => {
  const amounts = fc.array(fc.integer({ min: 10, max: 5000 }), { maxLength: 30 });

  it('of amounts is never exceeded, and refuses only payments that would exceed it', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 20_000 }), (requestedAmounts, max_count) => {
        const limits = [limitOf('card_amount', max_count)];
        const tally = createTally();
        let sentAmount = 0;
        for (const amount_cents of requestedAmounts) {
          const { refusal } = decideRisk(facts({ amount_cents, limits }), tally);
          expect(refusal === undefined).toBe(sentAmount + amount_cents <= max_count);
          if (!refusal) sentAmount += amount_cents;
        }
        expect(sentAmount).toBeLessThanOrEqual(max_count);
      }),
    );
  });

  it('of cards lets a payer continue with cards that are counted already', () => {
    const cards = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 30 });
    fc.assert(
      fc.property(cards, fc.integer({ min: 1, max: 5 }), (cardNumbers, max_count) => {
        const limits = [limitOf('payer_cards', max_count)];
        const tally = createTally();
        const usedCards = new Set<string>();
        for (const number of cardNumbers) {
          const card = { bin: '400551', last_four: '0004', fingerprint: `f${number}` };
          const { refusal } = decideRisk(facts({ card, limits }), tally);
          const isWithinLimit = usedCards.has(card.fingerprint) || usedCards.size < max_count;
          expect(refusal === undefined).toBe(isWithinLimit);
          if (isWithinLimit) usedCards.add(card.fingerprint);
        }
      }),
    );
  });

  it.each(['card_declines', 'merchant_declines'] as const)(
    'of %s counts earlier payments',
    (kind) => {
      const limit = limitOf(kind, 3);
      const payment = facts({ limits: [limit] });
      const refusals = [2, 3, 4].map((total) => {
        const counts = new Map([
          [countKey(limit, payment), { total, cards: [], is_partial: false }],
        ]);
        return decideRisk(payment, createTally(counts)).refusal;
      });
      expect(refusals).toEqual([undefined, 'velocity_exceeded', 'velocity_exceeded']);
    },
  );

  it.each([
    ['card_amount', 0, 'velocity_exceeded'],
    ['payer_cards', 0, 'velocity_exceeded'],
    // The newest attempts decide about declines.
    ['card_declines', ATTEMPTS_READ_MAX - 1, undefined],
    ['card_declines', ATTEMPTS_READ_MAX, 'velocity_exceeded'],
  ] as const)('of %s with a partial count of %i gives %s', (kind, total, refusal) => {
    const limit = limitOf(kind, 2 * ATTEMPTS_READ_MAX);
    const payment = facts({ limits: [limit] });
    const count = { total, cards: ['f-other'], is_partial: true };
    const tally = createTally(new Map([[countKey(limit, payment), count]]));
    expect(decideRisk(payment, tally).refusal).toBe(refusal);
  });

  it('of cards accepts a counted card, also if the count is partial', () => {
    const limit = limitOf('payer_cards', 3);
    const payment = facts({ limits: [limit] });
    const count = { total: 0, cards: [payment.card.fingerprint], is_partial: true };
    const tally = createTally(new Map([[countKey(limit, payment), count]]));
    expect(decideRisk(payment, tally).refusal).toBe(undefined);
  });

  it('with payments in progress counts those of customers as declines', () => {
    const limits = [{ ...limitOf('card_declines', 2), counts_open: true }];
    const [merchantCharge, customerPayment] = [
      facts({ limits, by_customer: false }),
      facts({ limits }),
    ];
    const tally = createTally();
    const refusals = [
      merchantCharge,
      customerPayment,
      merchantCharge,
      customerPayment,
      customerPayment,
    ].map((facts) => decideRisk(facts, tally).refusal);
    expect(refusals).toEqual([...Array(4).fill(undefined), 'velocity_exceeded']);
  });

  it('of one currency, card, mode or merchant does not affect the others', () => {
    const limits = [limitOf('card_amount', 1000)];
    const tally = createTally();
    const differences: Partial<RiskFacts>[] = [
      { amount_currency: 'EUR' },
      { card: { ...blockedCard, bin: '400551' } },
      { scope: { merchant_id: 'm', mode: 'live' } },
      { scope: { merchant_id: 'n', mode: 'sandbox' } },
    ];
    const refusals = [{}, ...differences, {}].map(
      (changes) => decideRisk(facts({ limits, ...changes }), tally).refusal,
    );
    expect(refusals).toEqual([...Array(5).fill(undefined), 'velocity_exceeded']);
  });
});
