import { type AuthenticationAnswer, networkPaths } from '@florin/contract/protocol/network.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Row } from '../../src/platform/database/row.ts';
import { post } from '../support/bank.ts';
import { eventually, waitForOutcome } from '../support/make.ts';
import { createGate } from '../support/slow-network.ts';
import {
  amounts,
  type CardVerification,
  cancelChallenge,
  makeCardlessPaymentId,
  pay,
  resultOf,
  useBank,
  verifyCard,
  waitForChallengeEnd,
} from '../support/threeds.ts';

const bank = useBank();
beforeEach(() => {
  bank.network.answerTo = () => undefined;
});

const good: AuthenticationAnswer = {
  enrolled: true,
  trans_status: 'Y',
  message_version: '2.2.0',
  ds_trans_id: '01935f00-0000-7000-8000-00000000000d',
  acs_trans_id: '01935f00-0000-7000-8000-00000000000a',
  eci: '05',
  cavv: 'AAABBBCCC',
};

/** EMV 3-D Secure's message for a request that cannot be processed. */
const erro = {
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

const stateOf = async ({ paymentId }: CardVerification): Promise<Row> =>
  (await bank.authenticationsOf(paymentId))[0] as Row;

describe('an answer of the directory server (ARes)', () => {
  // `processors/sandbox/directory.test.ts` reads all invalid answers.
  it.each<[string, number, object | string]>([
    ['that is oversized', 200, { ...good, padding: OVERSIZED }],
    ['that is cut off', 200, JSON.stringify(good).slice(0, 40)],
  ])('%s is invalid: the card could not be checked, and cannot pay', async (_, status, body) => {
    answerWith(status, typeof body === 'string' ? body : JSON.stringify(body));
    const amount = bank.amountFor('frictionless');
    const verified = await verifyCard(bank.context, amount);
    expect([verified.answer.result, verified.answer.detail.code]).toEqual([
      'error',
      'card_not_verified',
    ]);
    expect(await stateOf(verified)).toMatchObject({
      status: 'errored',
      threeds_cryptogram: null,
      due_at: null,
    });
    const { paymentId } = verified;
    const path = `/v2/payment_demands/${paymentId}/confirm`;
    expect((await bank.context.client.send('PATCH', path)).status).toBe(422);
    expect(bank.authorisations.filter((one) => one.amount === amount)).toEqual([]);
  });

  it('that asks for a challenge without a page of the bank ends it', async () => {
    answerWith(200, JSON.stringify({ ...good, trans_status: 'C', cavv: undefined }));
    const verified = await verifyCard(bank.context, bank.amountFor('challenge'));
    expect((await stateOf(verified)).status).toBe('errored');
    expect(verified.answer.detail.code).toBe('challenge_unavailable');
  });

  it('with a cryptogram beside an unauthenticated status gives it to no payment', async () => {
    answerWith(200, JSON.stringify({ ...good, trans_status: 'U', eci: '07' }));
    const amount = bank.amountFor('unavailable');
    const { paymentId } = await verifyCard(bank.context, amount);
    expect(await pay(bank.context.client, paymentId)).toMatchObject({ threeds_cryptogram: null });
    const [seen] = bank.authorisations.filter((one) => one.amount === amount);
    expect(seen?.authentication).toEqual({ eci: '07', transaction_id: good.ds_trans_id });
  });

  it('that never comes leaves the card unchecked after the time limit, and is ignored later', async () => {
    const inquired = createGate();
    const { onMessage } = bank.network;
    bank.network.onMessage = async ({ path }) => {
      if (path === networkPaths.authentications) await inquired.pass();
    };
    const payment = await makeCardlessPaymentId(
      bank.context.client,
      bank.amountFor('frictionless'),
    );
    const verifying = verifyCard(bank.context, 0, 'visa', payment);
    await inquired.reached;
    bank.network.onMessage = onMessage;
    await bank.expireAuthentications(payment);
    const over = await eventually(
      async () => (await bank.authenticationsOf(payment))[0],
      (row) => row?.status !== 'asking',
    );
    expect(over).toMatchObject({ status: 'errored', failure_code: 'card_not_verified' });
    inquired.open();
    expect((await verifying).answer.detail.code).toBe('card_not_verified');
    expect(await bank.authenticationsOf(payment)).toEqual([over]);
  });
});

describe('a result of the directory server (RReq)', () => {
  /** An open challenge, and the result that would end it successfully. */
  async function beginChallenge() {
    const verified = await verifyCard(bank.context, amounts.challenge);
    const row = await stateOf(verified);
    return { verified, row, result: resultOf(row) };
  }

  // `processors/sandbox/directory.test.ts` reads all results, and `decide.test.ts` decides about each.
  it('that is unreadable or about another transaction is answered, and the right one still counts', async () => {
    const { verified, row, result } = await beginChallenge();
    const messages: readonly [object, number][] = [
      [erro, 404],
      [{ ...result, reference: 'x' }, 404],
      [{ ...result, ds_trans_id: 'x' }, 200],
      [{ ...result, acs_trans_id: 'x' }, 200],
      [{ ...result, acs_trans_id: undefined }, 200],
      [{ ...result, padding: 'x'.repeat(2_000_000) }, 413],
    ];
    for (const [message, status] of messages) {
      expect(await bank.sendResult(row, message)).toBe(status);
      expect(await stateOf(verified)).toEqual(row);
    }
    expect(await bank.sendResult(row, result)).toBe(200);
    expect((await waitForChallengeEnd(bank.context, verified)).result).toBe('verified');
    expect((await cancelChallenge(bank.context, verified)).result).toBe('verified');
  });
});

/** An open challenge and its known data. */
interface Story {
  readonly amount: number;
  readonly verified: CardVerification;
  /** The authentication at the start of the challenge. */
  readonly row: Row;
}

const OPEN = 'challenged';

/** All that can happen to an open challenge, and its end if that happens first. */
const happenings: Readonly<
  Record<string, { readonly ends: string; happen(story: Story): Promise<unknown> }>
> = {
  'the bank approves': {
    ends: 'authenticated',
    happen: ({ row }) => sendResult(row, {}),
  },
  'the bank refuses': {
    ends: 'failed',
    happen: ({ row }) => sendResult(row, { trans_status: 'N', cavv: undefined }),
  },
  'the bank breaks off': {
    ends: 'errored',
    happen: ({ row }) => sendResult(row, { trans_status: 'U', challenge_cancel: '06' }),
  },
  'the cardholder gives up': {
    ends: 'abandoned',
    happen: ({ verified }) => cancelChallenge(bank.context, verified),
  },
  'the browser comes back': { ends: OPEN, happen: comeBack },
  'its time is over': { ends: 'timed_out', happen: runOut },
  'another card is entered': {
    ends: 'abandoned',
    happen: ({ verified, amount }) =>
      verifyCard(bank.context, amount, 'mastercard', verified.paymentId),
  },
  'the merchant confirms': {
    ends: OPEN,
    happen: ({ verified }) =>
      bank.context.client.send('PATCH', `/v2/payment_demands/${verified.paymentId}/confirm`),
  },
};

/** The result is received, whether or not it changes anything. */
async function sendResult(row: Row, change: object) {
  expect(await bank.sendResult(row, { ...resultOf(row), ...change })).toBe(200);
}

/** Returns with a message that claims the best result. */
function comeBack({ verified: { answer } }: Story) {
  if (answer.result !== 'challenge') throw new Error('no challenge');
  const { payUrl } = bank.context.server;
  const cres = Buffer.from(JSON.stringify({ transStatus: 'Y' })).toString('base64url');
  return post(payUrl, { url: `${payUrl}${answer.challenge.page_url}/done`, fields: { cres } });
}

async function runOut({ verified, row }: Story) {
  await bank.expireAuthentications(verified.paymentId);
  await eventually(
    () => rowOf(verified.paymentId, row),
    ({ status }) => status !== OPEN,
  );
}

async function rowOf(payment: string, { id }: Row): Promise<Row> {
  const rows = await bank.authenticationsOf(payment);
  return rows.find((row) => row.id === id) as Row;
}

async function beginStory(): Promise<Story> {
  const amount = bank.amountFor('challenge');
  const verified = await verifyCard(bank.context, amount);
  const [row] = await bank.authenticationsOf(verified.paymentId);
  return { amount, verified, row: row as Row };
}

const [APPROVAL, REFUSAL, BREAK] = ['the bank approves', 'the bank refuses', 'the bank breaks off'];
const [MERCHANT, CARD] = ['the merchant confirms', 'another card is entered'];
const FORM = ['the cardholder gives up', 'the browser comes back', 'its time is over'];
/**
 * Each event before and after an approval. The property test in `decide.test.ts` covers all orders.
 */
const orders: readonly (readonly string[])[] = [
  [REFUSAL, APPROVAL, REFUSAL, BREAK],
  [BREAK, APPROVAL, BREAK],
  ...[...FORM, CARD].map((name) => [name, APPROVAL, name]),
  [MERCHANT, APPROVAL, APPROVAL, REFUSAL, BREAK, ...FORM, CARD],
  [APPROVAL, MERCHANT],
];

describe('an open challenge', () => {
  it.each(orders.map((order) => [order.join(', then '), order] as const))(
    'has one result: %s',
    async (_, order) => {
      const story = await beginStory();
      let expected = OPEN;
      for (const name of order) {
        await happenings[name]?.happen(story);
        if (expected === OPEN) expected = happenings[name]?.ends as string;
        const { status } = await rowOf(story.verified.paymentId, story.row);
        expect([name, status]).toEqual([name, expected]);
      }
      await expectMoney(story);
    },
  );
});

/** A message leaves for the network only with a passed authentication, and once. */
async function expectMoney({ amount, verified: { paymentId } }: Story) {
  const { client } = bank.context;
  const { status } = await client.send('PATCH', `/v2/payment_demands/${paymentId}/confirm`);
  const rows = await bank.authenticationsOf(paymentId);
  const isPassed = rows.some((row) => row.status === 'authenticated');
  // The network checks the proof itself, and this one is invented.
  if (isPassed) expect((await waitForOutcome(client, paymentId)).attributes.status).toBe('failed');
  else expect(status).toBe(422);
  const seen = bank.authorisations.filter((one) => one.amount === amount);
  expect(seen.map(({ authentication }) => authentication?.cavv)).toEqual(isPassed ? ['AAAA'] : []);
}
