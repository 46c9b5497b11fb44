import { randomUUID } from 'node:crypto';
import { withClient } from '@florin/cli/database/client.ts';
import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import { networkPaths } from '@florin/contract/protocol/network.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/platform/database/row.ts';
import { browser, openChallenge } from '../support/bank.ts';
import { answerOf, callPay, mountForm, sealCard } from '../support/form.ts';
import { makeCardless, makeMethod } from '../support/make.ts';
import { rawRequest } from '../support/raw-request.ts';
import { createGate } from '../support/slow-network.ts';
import {
  amounts,
  cancel,
  handleOf,
  intent,
  pay,
  resultOf,
  useBank,
  type Verified,
  verify,
} from '../support/threeds.ts';

const bank = useBank();
const RUNS = 20;

/** Members in which a browser might claim a result. */
const claims = [
  'transStatus',
  'trans_status',
  'status',
  'cavv',
  'eci',
  'authentication',
  'session',
];
const anyValue = fc.oneof(fc.jsonValue(), fc.constantFrom('Y', 'A', '05', 'authenticated'));
const anyClaim = fc.dictionary(fc.oneof(fc.constantFrom(...claims), fc.string()), anyValue);

interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Members that a form with a session would send beside the claim. */
  readonly own: object;
}

/** Every route from a browser to a challenge, except cancelling it with the form's session. */
function routesOf(verified: Verified, other: Verified): Route[] {
  const handle = handleOf(verified);
  const pages = ['', '/done', '/tab', '/unframed', '/x'];
  const { session } = verified;
  return [
    ...['challenge', 'method'].flatMap((way) =>
      pages.flatMap((page) =>
        (['GET', 'POST'] as const).map((method) => ({
          method,
          path: `/threeds/v1/${way}/${handle}${page}`,
          own: {},
        })),
      ),
    ),
    { method: 'POST', path: `/threeds/v1/results/${handle}`, own: {} },
    { method: 'POST', path: '/frame/v1/challenge', own: { session, authentication: handle } },
    { method: 'POST', path: '/frame/v1/challenge', own: { session } },
    { method: 'POST', path: '/frame/v1/challenge/cancel', own: { session } },
    {
      method: 'POST',
      path: '/frame/v1/challenge/cancel',
      own: { session: other.session, authentication: handle },
    },
    { method: 'POST', path: '/frame/v1/challenge/cancel', own: { authentication: handle } },
    { method: 'POST', path: '/frame/v1/abandon', own: { session } },
    {
      method: 'POST',
      path: '/frame/v1/abandon',
      own: { session: other.session, authentication: handle },
    },
    { method: 'POST', path: '/frame/v1/fingerprint', own: { session } },
    { method: 'POST', path: '/frame/v1/verify', own: { session } },
    { method: 'POST', path: '/frame/v1/status', own: { session } },
  ];
}

const types = ['application/json', 'application/x-www-form-urlencoded', 'text/plain'] as const;

const stringsOf = (fields: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );

/** Sends a claim, which never overwrites the route's own members. */
function send({ method, path, own }: Route, type: (typeof types)[number], claim: object) {
  const { payUrl } = bank.stand.place;
  const fields = { ...claim, ...own };
  const body =
    type === 'application/x-www-form-urlencoded'
      ? new URLSearchParams(stringsOf(fields))
      : JSON.stringify(fields);
  return rawRequest(payUrl, {
    method,
    path:
      method === 'GET' ? `${path}?${new URLSearchParams({ claim: JSON.stringify(claim) })}` : path,
    headers: { host: new URL(payUrl).host, 'content-type': type },
    ...(method === 'POST' && { body: body.toString() }),
  });
}

const rowOf = async ({ payment }: Verified): Promise<Row> =>
  (await bank.authenticationsOf(payment))[0] as Row;

/** All columns of a challenge except its due time, which the browser's return brings forward. */
async function decisionOf(verified: Verified): Promise<Row> {
  const { due_at, updated_at, ...decision } = await rowOf(verified);
  return decision;
}

describe('an open challenge', () => {
  it('is decided by no request of a browser, to any address in any form', async () => {
    const [verified, other] = [
      await verify(bank.stand, amounts.challenge),
      await verify(bank.stand, amounts.challenge),
    ];
    for (const { answer } of [verified, other]) await openChallenge(bank.stand.place, answer);
    const routes = routesOf(verified, other);
    const before = await decisionOf(verified);
    expect(before.status).toBe('challenged');
    const attack = async (route: Route, type: (typeof types)[number], claim: object) => {
      const { status, text } = await send(route, type, claim);
      expect(status).toBeLessThan(500);
      expect(text).not.toContain('"result":"verified"');
      expect(await decisionOf(verified)).toEqual(before);
    };
    // Each address once with the directory server's own result, then all of them with anything.
    const genuine = resultOf(await rowOf(verified));
    for (const [at, route] of routes.entries()) {
      await attack(route, types[at % types.length] as 'text/plain', genuine);
    }
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...routes),
        fc.constantFrom(...types),
        anyClaim,
        (route, type, claim) => attack(route, type, claim),
      ),
      { numRuns: RUNS },
    );
    expect((await cancel(bank.stand, verified)).detail.code).toBe('challenge_cancelled');
    expect((await rowOf(other)).status).toBe('challenged');
  });

  it('is not found by the reference of another payment, or a changed one', async () => {
    const verified = await verify(bank.stand, amounts.challenge);
    const handle = handleOf(verified);
    const before = await decisionOf(verified);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(handle.length - 1),
        fc.constantFrom('A', 'b', '.', ''),
        async (at, to) => {
          fc.pre(handle[at] !== to);
          const authentication = handle.slice(0, at) + to + handle.slice(at + 1);
          const call = { session: verified.session, authentication };
          const { status } = await callPay(bank.stand.place, '/frame/v1/challenge/cancel', call);
          expect(status).toBe(422);
          expect(await decisionOf(verified)).toEqual(before);
        },
      ),
      { numRuns: RUNS },
    );
  });
});

const CARDS = ['visa', 'mastercard', 'amex', 'discover'] as const;
const THEFTS = 30;

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
      { numRuns: THEFTS },
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
