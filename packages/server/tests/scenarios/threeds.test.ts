import type { CardBrand } from '@florin/contract/card/networks.ts';
import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import type { VerifyAnswer } from '@florin/contract/protocol/frame.ts';
import { describe, expect, it } from 'vitest';
import {
  CODE,
  cancel,
  type Ending,
  enterCodes,
  eventsOf,
  outcomeOf,
  pay,
  type Stand,
  useBank,
  type Verified,
  verify,
} from '../support/threeds.ts';

const bank = useBank();

/** Electronic commerce indicators by brand. */
const indicators = {
  visa: { authenticated: '05', attempted: '06', informational: '07', none: '07' },
  mastercard: { authenticated: '02', attempted: '01', informational: '06', none: '00' },
  amex: { authenticated: '05', attempted: '06', informational: '07', none: '07' },
  discover: { authenticated: '05', attempted: '06', informational: '07', none: '07' },
} as const satisfies Partial<Record<CardBrand, object>>;
type Brand = keyof typeof indicators;

interface Row {
  readonly result: string;
  readonly amount: Ending;
  /** The cardholder's action if the bank asks. */
  readonly exit?: (stand: Stand, verified: Verified) => Promise<unknown>;
  /** threeds_status of the payment; null if the card is not attached. */
  readonly status: string | null;
  readonly eci: keyof (typeof indicators)[Brand];
  /** Whether the payment has a cryptogram and the issuer bears its fraud. */
  readonly shifted: boolean;
  readonly told: VerifyAnswer['result'];
  /** Code that the form gets for a failure. */
  readonly code?: string;
}

const right = (stand: Stand, verified: Verified) => enterCodes(stand, verified, [CODE]);
const wrong = (stand: Stand, verified: Verified) => enterCodes(stand, verified, ['1', '2', '3']);

async function leaveOpen(stand: Stand, verified: Verified) {
  await enterCodes(stand, verified, []);
  await bank.letTimePass(verified.payment);
}

const passes = { told: 'verified', shifted: false, eci: 'none' } as const;
const fails = { told: 'failed', status: null, shifted: false, eci: 'none' } as const;
const shifts = { told: 'verified', shifted: true } as const;

/** Every result, with every way to reach it. The brand decides only the indicator of a card that may be charged. */
const matrix: readonly Row[] = [
  {
    result: 'Frictionless Success',
    amount: 'frictionless',
    ...shifts,
    status: 'Y',
    eci: 'authenticated',
  },
  {
    result: 'Frictionless Rejection',
    amount: 'rejected',
    ...fails,
    code: 'authentication_failed',
  },
  {
    result: 'Challenge Prompt, passed',
    amount: 'challenge',
    exit: right,
    ...shifts,
    status: 'Y',
    eci: 'authenticated',
  },
  {
    result: 'Challenge Prompt, failed',
    amount: 'challenge',
    exit: wrong,
    ...fails,
    code: 'challenge_failed',
  },
  {
    result: 'Challenge Prompt, given up',
    amount: 'challenge',
    exit: cancel,
    ...fails,
    code: 'challenge_cancelled',
  },
  {
    result: 'Challenge Prompt, never ended',
    amount: 'challenge',
    exit: leaveOpen,
    ...fails,
    code: 'challenge_timeout',
  },
  { result: 'Not Enrolled', amount: 'not_enrolled', ...passes, status: 'not_enrolled' },
  {
    result: 'Issuer Rejected',
    amount: 'unattempted',
    ...fails,
    code: 'authentication_failed',
  },
  { result: 'Unattempted (U)', amount: 'unavailable', ...passes, status: 'U' },
  { result: 'Attempted (A)', amount: 'attempted', ...shifts, status: 'A', eci: 'attempted' },
  {
    result: 'For information (I)',
    amount: 'informational',
    ...passes,
    status: 'I',
    eci: 'informational',
  },
];

/** All results with Visa. Immediate ones with Mastercard, whose indicators differ; one with the others. */
function rowsOf(brand: Brand): readonly Row[] {
  if (brand === 'visa') return matrix;
  const immediate = matrix.filter(({ status, exit }) => status && !exit);
  return brand === 'mastercard' ? immediate : immediate.slice(0, 1);
}

describe.each(Object.keys(indicators) as Brand[])('3-D Secure of a %s card', (brand) => {
  it.each(rowsOf(brand).map((row) => [row.result, row] as const))('%s', async (_, row) => {
    const { stand } = bank;
    const amount = bank.amount(row.amount);
    const verified = await verify(stand, amount, brand);
    await row.exit?.(stand, verified);
    const answer = row.exit ? await outcomeOf(stand, verified) : verified.answer;
    expect([answer.result, answer.detail.code]).toEqual([row.told, row.code]);

    await expectColumns(verified.payment, row, indicators[brand][row.eci]);
    const method = await stand.client.fetch(
      'payment_methods',
      answer.detail.payment_method as string,
    );
    expect(method.attributes.external_state).toBe(row.status ? 'confirmed' : 'failed');
    expect(await eventsOf(stand.client, method.id)).toEqual(
      row.exit ? ['created', 'updated'] : ['created'],
    );
    await expectPayment(verified.payment, amount, row, brand);
    expect(await bank.authenticationsOf(verified.payment)).toHaveLength(1);
  });
});

/** Authentication columns of the payment, which are null if the card is not attached. */
async function expectColumns(payment: string, { status, shifted }: Row, eci: string) {
  const { attributes } = await bank.stand.client.fetch('payment_demands', payment);
  expect(attributes).toMatchObject({
    status: status ? 'ready' : 'incomplete',
    threeds_status: status,
    threeds_version: status && '2.2.0',
    eci: status && eci,
  });
  const isNamed = status !== null && status !== 'not_enrolled';
  const given = (name: string) => attributes[name] !== null;
  expect({
    cryptogram: given('threeds_cryptogram'),
    directory: given('directory_transaction_eid'),
    acs: given('acs_transaction_eid'),
  }).toEqual({ cryptogram: shifted, directory: isNamed, acs: isNamed });
}

/** Effects of a confirmation, in the interface, in its events and at the network. */
async function expectPayment(id: string, amount: number, { status, shifted }: Row, brand: Brand) {
  const { client } = bank.stand;
  const seen = () => bank.authorised.filter((one) => one.amount === amount);
  if (!status) {
    const { status: refused } = await client.send('PATCH', `/v2/payment_demands/${id}/confirm`);
    expect([refused, seen()]).toEqual([422, []]);
    expect(await eventsOf(client, id)).toEqual([]);
    return;
  }
  const paid = await pay(client, id);
  expect(paid.status).toBe('succeeded');
  // The confirmation emits its creation and its change at the same time.
  const events = await eventsOf(client, id);
  expect([events.slice(0, 2).sort(), events.slice(2)]).toEqual([
    ['created', 'updated'],
    ['succeeded'],
  ]);
  const [message, ...more] = seen();
  expect(more).toEqual([]);
  expect(message?.authentication).toEqual({
    eci: paid.eci,
    ...(shifted && { cavv: paid.threeds_cryptogram }),
    ...(status !== 'not_enrolled' && { transaction_id: paid.directory_transaction_eid }),
  });
  if (shifted) expect(await replayed(amount, brand, message?.authentication)).toBe('declined');
}

/** The network's response to the same proof in another authorisation: it has checked and counted the proof. */
function replayed(amount: number, brand: Brand, authentication: object | undefined) {
  const number = sandboxCards.find(({ token }) => token === `pan_test_${brand}`)?.number;
  return bank.authorise({
    reference: `again-${amount}`,
    amount,
    currency: 'USD',
    card: { number, expiry_month: '12', expiry_year: '2031' },
    authentication,
  });
}

describe('a merchant that requires 3-D Secure', () => {
  it.each(['not_enrolled', 'unavailable', 'informational'] as const)(
    'refuses a card that is %s',
    async (ending) => {
      const merchant = await bank.books.makeMerchant({ threeds_sandbox: 'required' });
      const [secret, publishable] = [
        await merchant.key(),
        await merchant.key({ context: 'browser' }),
      ];
      const stand = bank.standOf(secret, publishable);
      const { answer } = await verify(stand, bank.amount(ending));
      expect([answer.result, answer.detail.code]).toEqual(['failed', 'authentication_required']);
    },
  );
});
