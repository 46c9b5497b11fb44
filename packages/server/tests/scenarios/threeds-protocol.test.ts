import { type AuthenticationAnswer, networkPaths } from '@florin/contract/protocol/network.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Row } from '../../src/platform/database/row.ts';
import { post } from '../support/bank.ts';
import { UNKNOWN_ID } from '../support/client.ts';
import { eventually, waitForOutcome } from '../support/make.ts';
import { rawRequest } from '../support/raw-request.ts';
import { createGate } from '../support/slow-network.ts';
import {
  amounts,
  type CardVerification,
  cancelChallenge,
  makeCardlessPaymentId,
  pay,
  resultOf,
  type SignedDelivery,
  signResult,
  useBank,
  verifyCard,
  waitForChallengeEnd,
} from '../support/threeds.ts';

const bank = useBank();
beforeEach(() => {
  bank.network.answerTo = () => undefined;
});

const SUCCESS_ANSWER: AuthenticationAnswer = {
  enrolled: true,
  trans_status: 'Y',
  message_version: '2.2.0',
  ds_trans_id: '01935f00-0000-7000-8000-00000000000d',
  acs_trans_id: '01935f00-0000-7000-8000-00000000000a',
  eci: '05',
  cavv: 'AAABBBCCC',
};

/** EMV 3-D Secure's message for a request that cannot be processed. */
const ERRO_MESSAGE = {
  messageType: 'Erro',
  messageVersion: '2.2.0',
  errorCode: '203',
  errorComponent: 'D',
  errorDescription: 'Format or value of one or more data elements is invalid',
};
/** Larger than the vault's limit for responses. */
const OVERSIZED = 'x'.repeat(200_000);

/** Makes the directory server send this response to the next request. */
function answerWith(status: number, body: string): void {
  bank.network.answerTo = ({ path }) =>
    path === networkPaths.authentications ? { status, body } : undefined;
}

const readAuthentication = async ({ paymentId }: CardVerification): Promise<Row> =>
  (await bank.authenticationsOf(paymentId))[0] as Row;

describe('an answer of the directory server (ARes)', () => {
  // `processors/sandbox/directory.test.ts` reads all invalid answers.
  it.each<[string, number, object | string]>([
    ['that is oversized', 200, { ...SUCCESS_ANSWER, padding: OVERSIZED }],
    ['that is cut off', 200, JSON.stringify(SUCCESS_ANSWER).slice(0, 40)],
  ])('%s is invalid: the card could not be checked, and cannot pay', async (_, status, body) => {
    answerWith(status, typeof body === 'string' ? body : JSON.stringify(body));
    const amount = bank.amountFor('frictionless');
    const verification = await verifyCard(bank.context, amount);
    expect([verification.answer.result, verification.answer.detail.code]).toEqual([
      'error',
      'card_not_verified',
    ]);
    expect(await readAuthentication(verification)).toMatchObject({
      status: 'errored',
      threeds_cryptogram: null,
      due_at: null,
    });
    const { paymentId } = verification;
    const path = `/v2/payment_demands/${paymentId}/confirm`;
    expect((await bank.context.client.send('PATCH', path)).status).toBe(422);
    expect(bank.authorisations.filter((authorisation) => authorisation.amount === amount)).toEqual(
      [],
    );
  });

  it('that asks for a challenge without a page of the bank ends it', async () => {
    answerWith(200, JSON.stringify({ ...SUCCESS_ANSWER, trans_status: 'C', cavv: undefined }));
    const verification = await verifyCard(bank.context, bank.amountFor('challenge'));
    expect((await readAuthentication(verification)).status).toBe('errored');
    expect(verification.answer.detail.code).toBe('challenge_unavailable');
  });

  it('with a cryptogram beside an unauthenticated status gives it to no payment', async () => {
    answerWith(200, JSON.stringify({ ...SUCCESS_ANSWER, trans_status: 'U', eci: '07' }));
    const amount = bank.amountFor('unavailable');
    const { paymentId } = await verifyCard(bank.context, amount);
    expect(await pay(bank.context.client, paymentId)).toMatchObject({ threeds_cryptogram: null });
    const [message] = bank.authorisations.filter(
      (authorisation) => authorisation.amount === amount,
    );
    expect(message?.authentication).toEqual({
      eci: '07',
      transaction_id: SUCCESS_ANSWER.ds_trans_id,
    });
  });

  it('that never comes leaves the card unchecked after the time limit, and is ignored later', async () => {
    const requestGate = createGate();
    const { onMessage } = bank.network;
    bank.network.onMessage = async ({ path }) => {
      if (path === networkPaths.authentications) await requestGate.pass();
    };
    const paymentId = await makeCardlessPaymentId(
      bank.context.client,
      bank.amountFor('frictionless'),
    );
    const verifying = verifyCard(bank.context, 0, 'visa', paymentId);
    await requestGate.reached;
    bank.network.onMessage = onMessage;
    await bank.expireAuthentications(paymentId);
    const expiredRow = await eventually(
      async () => (await bank.authenticationsOf(paymentId))[0],
      (row) => row?.status !== 'asking',
    );
    expect(expiredRow).toMatchObject({ status: 'errored', failure_code: 'card_not_verified' });
    requestGate.open();
    expect((await verifying).answer.detail.code).toBe('card_not_verified');
    expect(await bank.authenticationsOf(paymentId)).toEqual([expiredRow]);
  });
});

describe('a result of the directory server (RReq)', () => {
  /** An open challenge, and the result that would end it successfully. */
  async function beginChallenge() {
    const verification = await verifyCard(bank.context, amounts.challenge);
    const row = await readAuthentication(verification);
    return { verification, row, result: resultOf(row) };
  }

  // `processors/sandbox/directory.test.ts` reads all results, and `decide.test.ts` decides about each.
  it('that is unreadable or about another transaction is answered, and the right one still counts', async () => {
    const { verification, row, result } = await beginChallenge();
    const messages: readonly [object, number][] = [
      [ERRO_MESSAGE, 401],
      [{ ...result, reference: 'x' }, 401],
      [{ ...result, ds_trans_id: 'x' }, 200],
      [{ ...result, acs_trans_id: 'x' }, 200],
      [{ ...result, acs_trans_id: undefined }, 200],
      [{ ...result, padding: 'x'.repeat(2_000_000) }, 413],
    ];
    for (const [message, status] of messages) {
      expect(await bank.sendResult(row, message)).toBe(status);
      expect(decisionOf(await readAuthentication(verification))).toEqual(decisionOf(row));
    }
    expect(await bank.sendResult(row, result)).toBe(200);
    expect((await waitForChallengeEnd(bank.context, verification)).result).toBe('verified');
    expect((await cancelChallenge(bank.context, verification)).result).toBe('verified');
  });

  it('that an attacker forges, who has seen its address and its ids, stores nothing', async () => {
    const { verification, row, result } = await beginChallenge();
    const other = await beginChallenge();
    const refusedBefore = await countRefused('signature');
    const genuine = signResult(bank, row, { ...result, trans_status: 'N', cavv: undefined });
    const forgery = JSON.stringify(result);
    const keyOf = (change: Row) => signResult(bank, { ...row, ...change }, result);
    const deliveries: readonly SignedDelivery[] = [
      { body: forgery },
      { body: forgery, signature: '' },
      { body: forgery, signature: 't=1795232640000,v1=' },
      { body: forgery, signature: genuine.signature },
      { ...genuine, body: ` ${genuine.body}` },
      { ...genuine, signature: genuine.signature.replace(/^t=\d/, 't=2') },
      signResult(bank, other.row, result),
      keyOf({ amount_cents: '1' }),
      keyOf({ amount_currency: 'EUR' }),
      keyOf({ payment_id: other.row.payment_id as string }),
    ];
    for (const delivery of deliveries) expect(await bank.sendSigned(row, delivery)).toBe(401);
    expect(await bank.sendSigned(row, { ...genuine, holder: 'browser' })).toBe(401);
    expect(await bank.sendSigned({ ...row, id: UNKNOWN_ID }, genuine)).toBe(401);
    expect(await readAuthentication(verification)).toEqual(row);
    expect((await countRefused('signature')) - refusedBefore).toBe(deliveries.length);
    expect(await bank.sendSigned(row, genuine)).toBe(200);
  });

  it('that is replayed is refused and stores nothing, even if both arrive at once', async () => {
    const { verification, row, result } = await beginChallenge();
    const [early, late] = [signResult(bank, row, result), signResult(bank, row, result)];
    const copies = Array.from({ length: 5 }, () => bank.sendSigned(row, late));
    expect((await Promise.all(copies)).sort()).toEqual([200, 401, 401, 401, 401]);
    const decided = await readAuthentication(verification);
    expect(decided.status).toBe('authenticated');
    for (const delivery of [late, early]) expect(await bank.sendSigned(row, delivery)).toBe(401);
    expect(await readAuthentication(verification)).toEqual(decided);
    // A directory server whose receipt got lost signs a new delivery.
    expect(await bank.sendResult(row, result)).toBe(200);
  });
});

/** An authentication without the times that any authentic delivery changes. */
const decisionOf = ({ result_sent_at, updated_at, ...decision }: Row) => decision;

async function countRefused(reason: string): Promise<number> {
  const { text } = await rawRequest(bank.network.baseUrl, { path: '/metrics' });
  const line = `florin_threeds_results_refused_total{reason="${reason}"} `;
  return Number(text.split(line)[1]?.split('\n')[0] ?? 0);
}

/** An open challenge, its amount and its card. */
interface OpenChallenge {
  readonly amount: number;
  readonly verification: CardVerification;
  /** The authentication at the start of the challenge. */
  readonly row: Row;
}

const OPEN = 'challenged';

/** Events of an open challenge, and its status if the event is the first. */
const challengeEvents: Readonly<
  Record<string, { readonly status: string; trigger(challenge: OpenChallenge): Promise<unknown> }>
> = {
  'the bank approves': {
    status: 'authenticated',
    trigger: ({ row }) => sendResult(row, {}),
  },
  'the bank refuses': {
    status: 'failed',
    trigger: ({ row }) => sendResult(row, { trans_status: 'N', cavv: undefined }),
  },
  'the bank breaks off': {
    status: 'errored',
    trigger: ({ row }) => sendResult(row, { trans_status: 'U', challenge_cancel: '06' }),
  },
  'the cardholder gives up': {
    status: 'abandoned',
    trigger: ({ verification }) => cancelChallenge(bank.context, verification),
  },
  'the browser comes back': { status: OPEN, trigger: returnBrowser },
  'its time is over': { status: 'timed_out', trigger: expireChallenge },
  'another card is entered': {
    status: 'abandoned',
    trigger: ({ verification, amount }) =>
      verifyCard(bank.context, amount, 'mastercard', verification.paymentId),
  },
  'the merchant confirms': {
    status: OPEN,
    trigger: ({ verification }) =>
      bank.context.client.send('PATCH', `/v2/payment_demands/${verification.paymentId}/confirm`),
  },
};

/** Sends a result. The server accepts it, whether or not it changes anything. */
async function sendResult(row: Row, change: object) {
  expect(await bank.sendResult(row, { ...resultOf(row), ...change })).toBe(200);
}

/** Returns with a message that claims the best result. */
function returnBrowser({ verification: { answer } }: OpenChallenge) {
  if (answer.result !== 'challenge') throw new Error('no challenge');
  const { payUrl } = bank.context.server;
  const cres = Buffer.from(JSON.stringify({ transStatus: 'Y' })).toString('base64url');
  return post(payUrl, { url: `${payUrl}${answer.challenge.page_url}/done`, fields: { cres } });
}

async function expireChallenge({ verification, row }: OpenChallenge) {
  await bank.expireAuthentications(verification.paymentId);
  await eventually(
    () => findAuthentication(verification.paymentId, row),
    ({ status }) => status !== OPEN,
  );
}

async function findAuthentication(paymentId: string, { id }: Row): Promise<Row> {
  const rows = await bank.authenticationsOf(paymentId);
  return rows.find((row) => row.id === id) as Row;
}

async function startChallenge(): Promise<OpenChallenge> {
  const amount = bank.amountFor('challenge');
  const verification = await verifyCard(bank.context, amount);
  const [row] = await bank.authenticationsOf(verification.paymentId);
  return { amount, verification, row: row as Row };
}

const [APPROVAL, REFUSAL, BREAK] = ['the bank approves', 'the bank refuses', 'the bank breaks off'];
const [MERCHANT_CONFIRMS, OTHER_CARD] = ['the merchant confirms', 'another card is entered'];
const FORM_EVENTS = ['the cardholder gives up', 'the browser comes back', 'its time is over'];
/**
 * Each event before and after an approval. The property test in `decide.test.ts` covers all orders.
 */
const orders: readonly (readonly string[])[] = [
  [REFUSAL, APPROVAL, REFUSAL, BREAK],
  [BREAK, APPROVAL, BREAK],
  ...[...FORM_EVENTS, OTHER_CARD].map((name) => [name, APPROVAL, name]),
  [MERCHANT_CONFIRMS, APPROVAL, APPROVAL, REFUSAL, BREAK, ...FORM_EVENTS, OTHER_CARD],
  [APPROVAL, MERCHANT_CONFIRMS],
];

describe('an open challenge', () => {
  it.each(orders.map((order) => [order.join(', then '), order] as const))(
    'has one result: %s',
    async (_, order) => {
      const challenge = await startChallenge();
      let expected = OPEN;
      for (const name of order) {
        await challengeEvents[name]?.trigger(challenge);
        if (expected === OPEN) expected = challengeEvents[name]?.status as string;
        const { status } = await findAuthentication(
          challenge.verification.paymentId,
          challenge.row,
        );
        expect([name, status]).toEqual([name, expected]);
      }
      await expectAuthorisations(challenge);
    },
  );
});

/** Checks that the network gets one message, and only after a passed authentication. */
async function expectAuthorisations({ amount, verification: { paymentId } }: OpenChallenge) {
  const { client } = bank.context;
  const rows = await bank.authenticationsOf(paymentId);
  const isPassed = rows.some((row) => row.status === 'authenticated');
  const { attributes } = await client.fetch('payment_demands', paymentId);
  // A payment that has failed already would be confirmed, and sent, a second time.
  if (!attributes.confirmed) {
    const { status } = await client.send('PATCH', `/v2/payment_demands/${paymentId}/confirm`);
    expect(status).toBe(isPassed ? 200 : 422);
  }
  // The network checks the proof itself, and this one is invented.
  if (isPassed) expect((await waitForOutcome(client, paymentId)).attributes.status).toBe('failed');
  const messages = bank.authorisations.filter((authorisation) => authorisation.amount === amount);
  expect(messages.map(({ authentication }) => authentication?.cavv)).toEqual(
    isPassed ? ['AAAA'] : [],
  );
}
