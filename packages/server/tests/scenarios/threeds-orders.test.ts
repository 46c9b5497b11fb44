import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/platform/database/row.ts';
import { post } from '../support/bank.ts';
import { eventually, settled } from '../support/make.ts';
import { cancel, resultOf, useBank, type Verified, verify } from '../support/threeds.ts';

const bank = useBank();

/** An open challenge and its known data. */
interface Story {
  readonly amount: number;
  readonly verified: Verified;
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
    happen: ({ row }) => tell(row, {}),
  },
  'the bank refuses': {
    ends: 'failed',
    happen: ({ row }) => tell(row, { trans_status: 'N', cavv: undefined }),
  },
  'the bank breaks off': {
    ends: 'errored',
    happen: ({ row }) => tell(row, { trans_status: 'U', challenge_cancel: '06' }),
  },
  'the cardholder gives up': {
    ends: 'abandoned',
    happen: ({ verified }) => cancel(bank.stand, verified),
  },
  'the browser comes back': { ends: OPEN, happen: comeBack },
  'its time is over': { ends: 'timed_out', happen: runOut },
  'another card is entered': {
    ends: 'abandoned',
    happen: ({ verified, amount }) => verify(bank.stand, amount, 'mastercard', verified.payment),
  },
  'the merchant confirms': {
    ends: OPEN,
    happen: ({ verified }) =>
      bank.stand.client.send('PATCH', `/v2/payment_demands/${verified.payment}/confirm`),
  },
};

/** The result is received, whether or not it changes anything. */
async function tell(row: Row, change: object) {
  expect(await bank.tell(row, { ...resultOf(row), ...change })).toBe(200);
}

/** Returns with a message that claims the best result. */
function comeBack({ verified: { answer } }: Story) {
  if (answer.result !== 'challenge') throw new Error('no challenge');
  const { payUrl } = bank.stand.place;
  const cres = Buffer.from(JSON.stringify({ transStatus: 'Y' })).toString('base64url');
  return post(payUrl, { url: `${payUrl}${answer.challenge.page_url}/done`, fields: { cres } });
}

async function runOut({ verified, row }: Story) {
  await bank.letTimePass(verified.payment);
  await eventually(
    () => stateOf(verified.payment, row),
    ({ status }) => status !== OPEN,
  );
}

async function stateOf(payment: string, { id }: Row): Promise<Row> {
  const rows = await bank.authenticationsOf(payment);
  return rows.find((row) => row.id === id) as Row;
}

async function begin(): Promise<Story> {
  const amount = bank.amount('challenge');
  const verified = await verify(bank.stand, amount);
  const [row] = await bank.authenticationsOf(verified.payment);
  return { amount, verified, row: row as Row };
}

const APPROVAL = 'the bank approves';
const [others, last] = [
  Object.keys(happenings).filter((name) => name !== APPROVAL && name !== 'the merchant confirms'),
  'the merchant confirms',
];
/**
 * Each event first, then an approval, then the same event again; and all events after an approval. The decision's
 * property test takes all findings in all orders.
 */
const orders: readonly (readonly string[])[] = [
  ...Object.keys(happenings).map((name) => [name, APPROVAL, name]),
  [APPROVAL, ...others],
  [APPROVAL, last],
];

describe('an open challenge', () => {
  it.each(orders.map((order) => [order.join(', then '), order] as const))(
    'has one result: %s',
    async (_, order) => {
      const story = await begin();
      let expected = OPEN;
      for (const name of order) {
        await happenings[name]?.happen(story);
        if (expected === OPEN) expected = happenings[name]?.ends as string;
        const { status } = await stateOf(story.verified.payment, story.row);
        expect([name, status]).toEqual([name, expected]);
      }
      await expectMoney(story);
    },
  );
});

/** A message leaves for the network only with a passed authentication, and once. */
async function expectMoney({ amount, verified: { payment } }: Story) {
  const { client } = bank.stand;
  const { status } = await client.send('PATCH', `/v2/payment_demands/${payment}/confirm`);
  const rows = await bank.authenticationsOf(payment);
  const isPassed = rows.some((row) => row.status === 'authenticated');
  // The network checks the proof itself, and this one is invented.
  if (isPassed) expect((await settled(client, payment)).attributes.status).toBe('failed');
  else expect(status).toBe(422);
  const seen = bank.authorised.filter((one) => one.amount === amount);
  expect(seen.map(({ authentication }) => authentication?.cavv)).toEqual(isPassed ? ['AAAA'] : []);
}
