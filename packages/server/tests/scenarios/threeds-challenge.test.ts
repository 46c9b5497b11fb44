import { randomUUID } from 'node:crypto';
import { withClient } from '@florin/cli/database/client.ts';
import { networkPaths } from '@florin/contract/protocol/network.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/platform/database/row.ts';
import { browser, openChallenge, parseForm, post } from '../support/bank.ts';
import { answerOf, callPay, mountForm, sealCard } from '../support/form.ts';
import { makeMethod } from '../support/make.ts';
import { rawRequest } from '../support/raw-request.ts';
import { createGate } from '../support/slow-network.ts';
import {
  amounts,
  type CardVerification,
  cancelChallenge,
  handleOf,
  makeCardlessPaymentId,
  resultOf,
  useBank,
  verifyCard,
} from '../support/threeds.ts';

const bank = useBank();
const RUNS = 10;

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
function routesOf(verified: CardVerification, other: CardVerification): Route[] {
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
  const { payUrl } = bank.context.server;
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

const rowOf = async ({ paymentId }: CardVerification): Promise<Row> =>
  (await bank.authenticationsOf(paymentId))[0] as Row;

/** All columns of a challenge except its due time, which the browser's return brings forward. */
async function decisionOf(verified: CardVerification): Promise<Row> {
  const { due_at, updated_at, ...decision } = await rowOf(verified);
  return decision;
}

it('a challenge of a test token counts as passed, as there is no browser to show it in', async () => {
  const method = await makeMethod(bank.context.client, 'threeds_challenge');
  expect(method.attributes.external_state).toBe('confirmed');
});

describe('an open challenge', () => {
  it('is decided by no request of a browser, to any address in any form', async () => {
    const [verified, other] = [
      await verifyCard(bank.context, amounts.challenge),
      await verifyCard(bank.context, amounts.challenge),
    ];
    for (const { answer } of [verified, other]) await openChallenge(bank.context.server, answer);
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
    expect((await cancelChallenge(bank.context, verified)).detail.code).toBe('challenge_cancelled');
    expect((await rowOf(other)).status).toBe('challenged');
  });

  it('is not found by a changed reference', async () => {
    const verified = await verifyCard(bank.context, amounts.challenge);
    const handle = handleOf(verified);
    const before = await decisionOf(verified);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(handle.length - 1),
        fc.constantFrom('A', 'b', '.', ''),
        fc.constantFrom('challenge', 'challenge/cancel'),
        async (at, to, path) => {
          fc.pre(handle[at] !== to);
          const authentication = handle.slice(0, at) + to + handle.slice(at + 1);
          const call = { session: verified.session, authentication };
          const { status } = await callPay(bank.context.server, `/frame/v1/${path}`, call);
          expect(status).toBe(422);
          expect(await decisionOf(verified)).toEqual(before);
        },
      ),
      { numRuns: RUNS },
    );
  });
});

describe('a card that is sent again without an answer', () => {
  it('is the same attempt, also concurrently: one authentication, the same answer', async () => {
    const payment = await makeCardlessPaymentId(bank.context.client, amounts.challenge);
    const form = await mountForm(bank.context.server, payment, bank.context.publishableKey);
    const body = { ...(await sealCard(form)), browser };
    const send = async () => answerOf(await callPay(bank.context.server, '/frame/v1/verify', body));
    const [first, second] = await Promise.all([send(), send()]);
    expect(second).toEqual(first);
    expect(await send()).toEqual(first);
    expect(await bank.authenticationsOf(payment)).toHaveLength(1);
  });
});

describe('two forms of one payment', () => {
  it('that send cards concurrently share one authentication', async () => {
    const payment = await makeCardlessPaymentId(bank.context.client, amounts.challenge);
    await Promise.all(
      ['visa', 'mastercard', 'amex'].map((card) =>
        verifyCard(bank.context, amounts.challenge, card, payment),
      ),
    );
    const rows = await bank.authenticationsOf(payment);
    const open = rows.filter(({ status }) => status === 'challenged' || status === 'asking');
    expect([rows.length, open.length]).toEqual([3, 1]);
    const replaced = rows.filter(({ failure_code }) => failure_code === 'challenge_replaced');
    expect(replaced.length).toBe(2);
  });
});

describe('the bank’s fingerprint of the browser', () => {
  const findChallenge = async (amount: number): Promise<{ payment: string; page_url?: string }> => {
    const payment = await makeCardlessPaymentId(bank.context.client, amount);
    const { session } = await mountForm(bank.context.server, payment, bank.context.publishableKey);
    const body = { session, bin: '400551' };
    const { text } = await callPay(bank.context.server, '/frame/v1/fingerprint', body);
    return { payment, ...(JSON.parse(text) as { page_url?: string }) };
  };

  it('ends when the bank’s page has returned the browser', async () => {
    const { payment, page_url = '' } = await findChallenge(2499);
    const launch = parseForm((await callPay(bank.context.server, page_url)).text);
    const answer = parseForm((await post(launch.url, launch)).text);
    expect(new URL(launch.url).hostname).toBe('acs.localhost');
    expect((await post(launch.url, answer)).status).toBe(200);
    expect((await bank.authenticationsOf(payment))[0]?.status).toBe('fingerprinted');
  });

  it('is not started if the bank does not take part', async () => {
    const { payment, page_url } = await findChallenge(amounts.not_enrolled);
    expect(page_url).toBeUndefined();
    expect(await bank.authenticationsOf(payment)).toEqual([]);
  });

  it('belongs to the authentication of the card that follows', async () => {
    const payment = await makeCardlessPaymentId(bank.context.client, 2499);
    const form = await mountForm(bank.context.server, payment, bank.context.publishableKey);
    const { text } = await callPay(bank.context.server, '/frame/v1/fingerprint', {
      session: form.session,
      bin: '400551',
    });
    const { authentication } = JSON.parse(text) as Record<string, string>;
    await callPay(bank.context.server, '/frame/v1/verify', {
      ...(await sealCard(form)),
      browser,
      authentication,
    });
    expect((await bank.authenticationsOf(payment)).map(({ status }) => status)).toEqual([
      'authenticated',
    ]);
  });

  it('is refused for an invalid card range', async () => {
    const { server, client, publishableKey } = bank.context;
    const { session } = await mountForm(
      server,
      await makeCardlessPaymentId(client, 2499),
      publishableKey,
    );
    for (const bin of ['40055', '4005519', 'abcdef']) {
      const { status } = await callPay(server, '/frame/v1/fingerprint', { session, bin });
      expect([bin, status]).toEqual([bin, 422]);
    }
  });
});

/** Number of unattached cards, which the vault deletes after an hour. */
const forgottenSoon = () =>
  withClient(bank.network.adminDatabaseUrl, async (client) => {
    const { rowCount } = await client.query('select from vault.cards where attached_at is null');
    return rowCount ?? 0;
  });

it('the vault keeps the card of a payment method that a server or a form creates', async () => {
  const before = await forgottenSoon();
  await makeMethod(bank.context.client);
  const { answer } = await verifyCard(bank.context, bank.amountFor('frictionless'));
  expect(answer.result).toBe('verified');
  expect(await forgottenSoon()).toBe(before);
});

it('an abandoned card without a bank response expires in the vault', async () => {
  const { server, client, publishableKey } = bank.context;
  const form = await mountForm(
    server,
    await makeCardlessPaymentId(client, bank.amountFor('frictionless')),
    publishableKey,
  );
  const before = await forgottenSoon();
  const attempt = randomUUID();
  const body = { ...(await sealCard(form)), browser, attempt };
  const gate = createGate();
  const { onMessage } = bank.network;
  bank.network.onMessage = ({ path }) =>
    path === networkPaths.authentications ? gate.pass() : Promise.resolve();
  const verifying = callPay(server, '/frame/v1/verify', body);
  await gate.reached;
  await callPay(server, '/frame/v1/abandon', { session: form.session, attempt });
  gate.open();
  expect(answerOf(await verifying).detail.code).toBe('abandoned');
  bank.network.onMessage = onMessage;
  expect((await forgottenSoon()) - before).toBe(1);
});
