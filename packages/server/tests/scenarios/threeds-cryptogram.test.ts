import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pay, useBank, verify } from '../support/threeds.ts';

const bank = useBank();

const CARDS = ['visa', 'mastercard', 'amex', 'discover'] as const;
const RUNS = 60;

const numberOf = (card: string): string | undefined =>
  sandboxCards.find(({ token }) => token === `pan_test_${card}`)?.number;

/** A card that was authenticated for a payment, and the message that would authorise it. */
async function authenticated(card: string) {
  const amount = bank.amount('frictionless');
  const { payment } = await verify(bank.stand, amount, card);
  const { attributes } = await bank.stand.client.fetch('payment_demands', payment);
  const authentication = {
    eci: attributes.eci as string,
    cavv: attributes.threeds_cryptogram as string,
    transaction_id: attributes.directory_transaction_eid as string,
  };
  return { payment, card, number: numberOf(card), amount, currency: 'USD', authentication };
}
type Proof = Awaited<ReturnType<typeof authenticated>>;

let sent = 0;
/** The network's response to a direct authorisation. */
const authorise = ({ number, amount, currency, authentication }: Omit<Proof, 'payment' | 'card'>) =>
  bank.authorise({
    reference: `thief-${++sent}`,
    amount,
    currency,
    card: { number, cvv: '123', expiry_month: '12', expiry_year: '2031' },
    authentication,
  });

/** Changes one character, so that it still looks like a cryptogram. */
const flipped = (text: string, at: number): string => {
  const place = at % (text.length - 1);
  return `${text.slice(0, place)}${text[place] === 'A' ? 'B' : 'A'}${text.slice(place + 1)}`;
};

/** Everything that a thief might do with the proofs of two payments. */
const thefts = {
  'the cryptogram of another': (own: Proof, other: Proof) => ({
    ...own,
    authentication: { ...own.authentication, cavv: other.authentication.cavv },
  }),
  'the transaction of another': (own: Proof, other: Proof) => ({
    ...own,
    authentication: {
      ...own.authentication,
      transaction_id: other.authentication.transaction_id,
    },
  }),
  'the whole proof of another': (own: Proof, other: Proof) => ({
    ...own,
    authentication: other.authentication,
  }),
  'no transaction': (own: Proof) => ({
    ...own,
    authentication: { eci: own.authentication.eci, cavv: own.authentication.cavv } as never,
  }),
  'another amount': (own: Proof, _: Proof, by: number) => ({ ...own, amount: own.amount + by }),
  'another currency': (own: Proof, _: Proof, by: number) => ({
    ...own,
    currency: ['EUR', 'GBP', 'JPY'][by % 3] as string,
  }),
  'another card': (own: Proof, _: Proof, by: number) => ({
    ...own,
    number: numberOf(CARDS[(CARDS.indexOf(own.card as 'visa') + 1 + (by % 3)) % 4] as string),
  }),
  'another character': (own: Proof, _: Proof, by: number) => ({
    ...own,
    authentication: { ...own.authentication, cavv: flipped(own.authentication.cavv, by) },
  }),
} as const satisfies Record<string, (own: Proof, other: Proof, by: number) => Omit<Proof, 'card'>>;

describe('a cryptogram', () => {
  it('is valid once, for its own card, amount, currency and transaction', async () => {
    const proofs: Proof[] = [];
    // Two of each card, so that the proof of another payment is also tried with the same card.
    for (const card of [...CARDS, ...CARDS]) proofs.push(await authenticated(card));
    const anyProof = fc.constantFrom(...proofs);
    const anyTheft = fc.constantFrom(...(Object.keys(thefts) as (keyof typeof thefts)[]));
    await fc.assert(
      fc.asyncProperty(anyTheft, anyProof, anyProof, fc.nat(1_000), async (how, own, other, by) => {
        fc.pre(own !== other);
        expect(await authorise(thefts[how](own, other, by + 1))).toBe('declined');
      }),
      { numRuns: RUNS },
    );
    for (const proof of proofs) {
      expect((await pay(bank.stand.client, proof.payment)).status).toBe('succeeded');
      expect(await authorise(proof)).toBe('declined');
    }
  });

  it('is not sent with another payment of the same card', async () => {
    const amount = bank.amount('frictionless');
    const { payment, answer } = await verify(bank.stand, amount);
    await pay(bank.stand.client, payment);
    const cavvs = bank.authorised.map(({ authentication }) => authentication?.cavv);
    expect(cavvs.filter(Boolean).length).toBe(new Set(cavvs.filter(Boolean)).size);
    const method = await bank.stand.client.fetch(
      'payment_methods',
      answer.detail.payment_method as string,
    );
    expect(JSON.stringify(method.attributes)).not.toContain('cryptogram');
  });
});
