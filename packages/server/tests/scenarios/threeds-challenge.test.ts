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
const CLAIM_NAMES = [
  'transStatus',
  'trans_status',
  'status',
  'cavv',
  'eci',
  'authentication',
  'session',
];
const anyValue = fc.oneof(fc.jsonValue(), fc.constantFrom('Y', 'A', '05', 'authenticated'));
const anyClaim = fc.dictionary(fc.oneof(fc.constantFrom(...CLAIM_NAMES), fc.string()), anyValue);

interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Members that a form with a session would send beside the claim. */
  readonly ownFields: object;
}

/** Every route from a browser to a challenge, except cancelling it with the form's session. */
function listRoutes(verification: CardVerification, otherVerification: CardVerification): Route[] {
  const signedReference = handleOf(verification);
  const pages = ['', '/done', '/tab', '/unframed', '/x'];
  const { session } = verification;
  return [
    ...['challenge', 'method'].flatMap((kind) =>
      pages.flatMap((page) =>
        (['GET', 'POST'] as const).map((method) => ({
          method,
          path: `/threeds/v1/${kind}/${signedReference}${page}`,
          ownFields: {},
        })),
      ),
    ),
    { method: 'POST', path: `/threeds/v1/results/${signedReference}`, ownFields: {} },
    {
      method: 'POST',
      path: '/frame/v1/challenge',
      ownFields: { session, authentication: signedReference },
    },
    { method: 'POST', path: '/frame/v1/challenge', ownFields: { session } },
    { method: 'POST', path: '/frame/v1/challenge/cancel', ownFields: { session } },
    {
      method: 'POST',
      path: '/frame/v1/challenge/cancel',
      ownFields: { session: otherVerification.session, authentication: signedReference },
    },
    {
      method: 'POST',
      path: '/frame/v1/challenge/cancel',
      ownFields: { authentication: signedReference },
    },
    { method: 'POST', path: '/frame/v1/abandon', ownFields: { session } },
    {
      method: 'POST',
      path: '/frame/v1/abandon',
      ownFields: { session: otherVerification.session, authentication: signedReference },
    },
    { method: 'POST', path: '/frame/v1/fingerprint', ownFields: { session } },
    { method: 'POST', path: '/frame/v1/verify', ownFields: { session } },
    { method: 'POST', path: '/frame/v1/status', ownFields: { session } },
  ];
}

const CONTENT_TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
] as const;

const toStrings = (fields: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );

/** Sends a claim, which never overwrites the route's own members. */
function sendClaim(
  { method, path, ownFields }: Route,
  type: (typeof CONTENT_TYPES)[number],
  claim: object,
) {
  const { payUrl } = bank.context.server;
  const fields = { ...claim, ...ownFields };
  const body =
    type === 'application/x-www-form-urlencoded'
      ? new URLSearchParams(toStrings(fields))
      : JSON.stringify(fields);
  return rawRequest(payUrl, {
    method,
    path:
      method === 'GET' ? `${path}?${new URLSearchParams({ claim: JSON.stringify(claim) })}` : path,
    headers: { host: new URL(payUrl).host, 'content-type': type },
    ...(method === 'POST' && { body: body.toString() }),
  });
}

const readAuthentication = async ({ paymentId }: CardVerification): Promise<Row> =>
  (await bank.authenticationsOf(paymentId))[0] as Row;

/** All columns of a challenge except its due time, which the browser's return brings forward. */
async function readDecision(verification: CardVerification): Promise<Row> {
  const { due_at, updated_at, ...decision } = await readAuthentication(verification);
  return decision;
}

it('a challenge of a test token counts as passed, as there is no browser to show it in', async () => {
  const method = await makeMethod(bank.context.client, 'threeds_challenge');
  expect(method.attributes.external_state).toBe('confirmed');
});

describe('an open challenge', () => {
  it('is decided by no request of a browser, to any address in any form', async () => {
    const [verification, otherVerification] = [
      await verifyCard(bank.context, amounts.challenge),
      await verifyCard(bank.context, amounts.challenge),
    ];
    for (const { answer } of [verification, otherVerification])
      await openChallenge(bank.context.server, answer);
    const routes = listRoutes(verification, otherVerification);
    const decisionBefore = await readDecision(verification);
    expect(decisionBefore.status).toBe('challenged');
    const attack = async (route: Route, type: (typeof CONTENT_TYPES)[number], claim: object) => {
      const { status, text } = await sendClaim(route, type, claim);
      expect(status).toBeLessThan(500);
      expect(text).not.toContain('"result":"verified"');
      expect(await readDecision(verification)).toEqual(decisionBefore);
    };
    // Sends the directory server's result to each address, then random claims to random addresses.
    const genuineResult = resultOf(await readAuthentication(verification));
    for (const [at, route] of routes.entries()) {
      await attack(route, CONTENT_TYPES[at % CONTENT_TYPES.length] as 'text/plain', genuineResult);
    }
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...routes),
        fc.constantFrom(...CONTENT_TYPES),
        anyClaim,
        (route, type, claim) => attack(route, type, claim),
      ),
      { numRuns: RUNS },
    );
    expect((await cancelChallenge(bank.context, verification)).detail.code).toBe(
      'challenge_cancelled',
    );
    expect((await readAuthentication(otherVerification)).status).toBe('challenged');
  });

  it('is not found by a changed reference', async () => {
    const verification = await verifyCard(bank.context, amounts.challenge);
    const signedReference = handleOf(verification);
    const decisionBefore = await readDecision(verification);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(signedReference.length - 1),
        fc.constantFrom('A', 'b', '.', ''),
        fc.constantFrom('challenge', 'challenge/cancel'),
        async (at, replacement, path) => {
          fc.pre(signedReference[at] !== replacement);
          const authentication =
            signedReference.slice(0, at) + replacement + signedReference.slice(at + 1);
          const request = { session: verification.session, authentication };
          const { status } = await callPay(bank.context.server, `/frame/v1/${path}`, request);
          expect(status).toBe(422);
          expect(await readDecision(verification)).toEqual(decisionBefore);
        },
      ),
      { numRuns: RUNS },
    );
  });
});

describe('a card that is sent again without an answer', () => {
  it('is the same attempt, also concurrently: one authentication, the same answer', async () => {
    const paymentId = await makeCardlessPaymentId(bank.context.client, amounts.challenge);
    const form = await mountForm(bank.context.server, paymentId, bank.context.publishableKey);
    const body = { ...(await sealCard(form)), browser };
    const sendVerify = async () =>
      answerOf(await callPay(bank.context.server, '/frame/v1/verify', body));
    const [firstAnswer, secondAnswer] = await Promise.all([sendVerify(), sendVerify()]);
    expect(secondAnswer).toEqual(firstAnswer);
    expect(await sendVerify()).toEqual(firstAnswer);
    expect(await bank.authenticationsOf(paymentId)).toHaveLength(1);
  });
});

describe('two forms of one payment', () => {
  it('that send cards concurrently share one authentication', async () => {
    const paymentId = await makeCardlessPaymentId(bank.context.client, amounts.challenge);
    await Promise.all(
      ['visa', 'mastercard', 'amex'].map((card) =>
        verifyCard(bank.context, amounts.challenge, card, paymentId),
      ),
    );
    const rows = await bank.authenticationsOf(paymentId);
    const openRows = rows.filter(({ status }) => status === 'challenged' || status === 'asking');
    expect([rows.length, openRows.length]).toEqual([3, 1]);
    const replacedRows = rows.filter(({ failure_code }) => failure_code === 'challenge_replaced');
    expect(replacedRows.length).toBe(2);
  });
});

describe('the bank’s fingerprint of the browser', () => {
  const requestFingerprint = async (
    amount: number,
  ): Promise<{ payment: string; page_url?: string }> => {
    const paymentId = await makeCardlessPaymentId(bank.context.client, amount);
    const { session } = await mountForm(
      bank.context.server,
      paymentId,
      bank.context.publishableKey,
    );
    const body = { session, bin: '400551' };
    const { text } = await callPay(bank.context.server, '/frame/v1/fingerprint', body);
    return { payment: paymentId, ...(JSON.parse(text) as { page_url?: string }) };
  };

  it('ends when the bank’s page has returned the browser', async () => {
    const { payment: paymentId, page_url = '' } = await requestFingerprint(2499);
    const launchForm = parseForm((await callPay(bank.context.server, page_url)).text);
    const answer = parseForm((await post(launchForm.url, launchForm)).text);
    expect(new URL(launchForm.url).hostname).toBe('acs.localhost');
    expect((await post(launchForm.url, answer)).status).toBe(200);
    expect((await bank.authenticationsOf(paymentId))[0]?.status).toBe('fingerprinted');
  });

  it('is not started if the bank does not take part', async () => {
    const { payment: paymentId, page_url } = await requestFingerprint(amounts.not_enrolled);
    expect(page_url).toBeUndefined();
    expect(await bank.authenticationsOf(paymentId)).toEqual([]);
  });

  it('belongs to the authentication of the card that follows', async () => {
    const paymentId = await makeCardlessPaymentId(bank.context.client, 2499);
    const form = await mountForm(bank.context.server, paymentId, bank.context.publishableKey);
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
    expect((await bank.authenticationsOf(paymentId)).map(({ status }) => status)).toEqual([
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

/** Counts unattached cards, which the vault deletes after an hour. */
const countUnattachedCards = () =>
  withClient(bank.network.adminDatabaseUrl, async (client) => {
    const { rowCount } = await client.query('select from vault.cards where attached_at is null');
    return rowCount ?? 0;
  });

it('the vault keeps the card of a payment method that a server or a form creates', async () => {
  const countBefore = await countUnattachedCards();
  await makeMethod(bank.context.client);
  const { answer } = await verifyCard(bank.context, bank.amountFor('frictionless'));
  expect(answer.result).toBe('verified');
  expect(await countUnattachedCards()).toBe(countBefore);
});

it('an abandoned card without a bank response expires in the vault', async () => {
  const { server, client, publishableKey } = bank.context;
  const form = await mountForm(
    server,
    await makeCardlessPaymentId(client, bank.amountFor('frictionless')),
    publishableKey,
  );
  const countBefore = await countUnattachedCards();
  const attemptId = randomUUID();
  const body = { ...(await sealCard(form)), browser, attempt: attemptId };
  const gate = createGate();
  const { onMessage } = bank.network;
  bank.network.onMessage = ({ path }) =>
    path === networkPaths.authentications ? gate.pass() : Promise.resolve();
  const verifying = callPay(server, '/frame/v1/verify', body);
  await gate.reached;
  await callPay(server, '/frame/v1/abandon', { session: form.session, attempt: attemptId });
  gate.open();
  expect(answerOf(await verifying).detail.code).toBe('abandoned');
  bank.network.onMessage = onMessage;
  expect((await countUnattachedCards()) - countBefore).toBe(1);
});
