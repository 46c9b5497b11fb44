import { randomUUID } from 'node:crypto';
import { withClient } from '@florin/cli/database/client.ts';
import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import { networkPaths } from '@florin/contract/protocol/network.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { browser } from '../support/bank.ts';
import { answerOf, callPay, mountForm, sealCard } from '../support/form.ts';
import { makeCardless, makeMethod } from '../support/make.ts';
import { createGate } from '../support/slow-network.ts';
import { intent, pay, useBank, verify } from '../support/threeds.ts';

const bank = useBank();

const CARDS = ['visa', 'mastercard', 'amex', 'discover'] as const;
const RUNS = 30;

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
    // Two of one card, so that the proof of another payment is also tried with the same card.
    for (const card of [...CARDS, 'visa']) proofs.push(await authenticated(card));
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

/** Number of unattached cards, which the vault deletes after an hour. */
const forgottenSoon = () =>
  withClient(bank.network.adminDatabaseUrl, async (client) => {
    const { rowCount } = await client.query('select from vault.cards where attached_at is null');
    return rowCount;
  });

it('the vault keeps the card of a payment method that a server creates', async () => {
  await makeMethod(bank.stand.client);
  expect(await forgottenSoon()).toBe(0);
});

it('the vault keeps the card of a payment method that a form creates', async () => {
  const { id } = await makeCardless(bank.stand.client);
  const { answer } = await verify(bank.stand, bank.amount('frictionless'), 'visa', id);
  expect(answer.result).toBe('verified');
  expect(await forgottenSoon()).toBe(0);
});

it('an abandoned card without a bank response expires in the vault', async () => {
  const { place, client, publishable } = bank.stand;
  const form = await mountForm(
    place,
    await intent(client, bank.amount('frictionless')),
    publishable,
  );
  const attempt = randomUUID();
  const body = { ...(await sealCard(form)), browser, attempt };
  const gate = createGate();
  const { onMessage } = bank.network;
  bank.network.onMessage = ({ path }) =>
    path === networkPaths.authentications ? gate.pass() : Promise.resolve();
  const verifying = callPay(place, '/frame/v1/verify', body);
  await gate.reached;
  await callPay(place, '/frame/v1/abandon', { session: form.session, attempt });
  gate.open();
  expect(answerOf(await verifying).detail.code).toBe('abandoned');
  bank.network.onMessage = onMessage;
  expect(await forgottenSoon()).toBe(1);
});
