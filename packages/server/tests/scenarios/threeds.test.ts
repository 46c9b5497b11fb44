import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import type { VerifyAnswer } from '@florin/contract/protocol/frame.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSigner } from '../../src/platform/crypto/signer.ts';
import { instanceSecret } from '../../src/platform/database/installation/instance-secrets.ts';
import { callForm } from '../support/bank.ts';
import type { ResourceObject } from '../support/client.ts';
import { mountForm } from '../support/form.ts';
import {
  type BankBehaviour,
  type CardVerification,
  CODE,
  cancelChallenge,
  enterCodes,
  eventSlugsOf,
  handleOf,
  makeCardlessPaymentId,
  pay,
  useBank,
  type VerificationContext,
  verifyCard,
  waitForChallengeEnd,
} from '../support/threeds.ts';

const bank = useBank();

/** Electronic commerce indicators of Visa. `simulator/tests/threeds.test.ts` has those of the other brands. */
const indicators = {
  authenticated: '05',
  attempted: '06',
  informational: '07',
  none: '07',
} as const;

interface Row {
  readonly result: string;
  readonly amount: BankBehaviour;
  /** The cardholder's action if the bank asks. */
  readonly exit?: (stand: VerificationContext, verified: CardVerification) => Promise<unknown>;
  /** threeds_status of the payment; null if the card is not attached. */
  readonly status: string | null;
  readonly eci: keyof typeof indicators;
  /** Whether the payment has a cryptogram and the issuer bears its fraud. */
  readonly shifted: boolean;
  readonly told: VerifyAnswer['result'];
  /** Code that the form gets for a failure. */
  readonly code?: string;
  /** Whether it counts as a failure against the form's key, which limits guesses. */
  readonly counted?: true;
}

const enterRightCode = (stand: VerificationContext, verified: CardVerification) =>
  enterCodes(stand, verified, [CODE]);
const enterWrongCodes = (stand: VerificationContext, verified: CardVerification) =>
  enterCodes(stand, verified, ['1', '2', '3']);

async function leaveOpen(stand: VerificationContext, verified: CardVerification) {
  await enterCodes(stand, verified, []);
  await bank.expireAuthentications(verified.paymentId);
}

const passes = { told: 'verified', shifted: false, eci: 'none' } as const;
const fails = { told: 'failed', status: null, shifted: false, eci: 'none' } as const;
const shifts = { told: 'verified', shifted: true } as const;

/** Every result, with every way to reach it. */
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
    counted: true,
  },
  {
    result: 'Challenge Prompt, passed',
    amount: 'challenge',
    exit: enterRightCode,
    ...shifts,
    status: 'Y',
    eci: 'authenticated',
  },
  {
    result: 'Challenge Prompt, failed',
    amount: 'challenge',
    exit: enterWrongCodes,
    ...fails,
    code: 'challenge_failed',
    counted: true,
  },
  {
    result: 'Challenge Prompt, given up',
    amount: 'challenge',
    exit: cancelChallenge,
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
    counted: true,
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

/** Failures counted for the key of a form, which has one subject for all its payments. */
async function countFailures(session: string): Promise<number> {
  const payload = Buffer.from(session.split('.')[1] ?? '', 'base64url').toString();
  const signer = createSigner(await instanceSecret(bank.fixtures.db, 'card_tries'));
  const subject = signer.sign(`key failures\n${payload.split(' ')[4]}`);
  const sql = 'select tries from card_tries where subject = $1';
  const [row] = await bank.fixtures.db.query(sql, [subject]);
  return Number(row?.tries ?? 0);
}

/** Session of a form with the demo merchant's key. */
let session: string;
beforeAll(async () => {
  const { server, client, publishableKey } = bank.context;
  ({ session } = await mountForm(server, await makeCardlessPaymentId(client, 100), publishableKey));
});

describe('3-D Secure of a card', () => {
  it.each(matrix.map((row) => [row.result, row] as const))('%s', async (_, row) => {
    const { context } = bank;
    const before = await countFailures(session);
    const amount = bank.amountFor(row.amount);
    const verified = await verifyCard(context, amount);
    await row.exit?.(context, verified);
    const answer = row.exit ? await waitForChallengeEnd(context, verified) : verified.answer;
    expect([answer.result, answer.detail.code]).toEqual([row.told, row.code]);
    // The form may ask again, which counts nothing.
    const call = { session: verified.session, authentication: handleOf(verified) };
    if (row.exit) expect(await callForm(context.server, 'challenge', call)).toEqual(answer);
    expect((await countFailures(session)) - before).toBe(row.counted ? 1 : 0);

    await expectColumns(verified.paymentId, row, indicators[row.eci]);
    await expectMethod(answer.detail.payment_method as string, row);
    await expectPayment(verified.paymentId, amount, row);
    expect(await bank.authenticationsOf(verified.paymentId)).toHaveLength(1);
  });
});

/** The payment method's state, its events with their states, and no proof. */
async function expectMethod(id: string, { status, exit }: Row) {
  const { client } = bank.context;
  const state = status ? 'confirmed' : 'failed';
  const { attributes } = await client.fetch('payment_methods', id);
  expect(attributes.external_state).toBe(state);
  expect(JSON.stringify(attributes)).not.toContain('cryptogram');
  const { body } = await client.get(`/v2/events?filter[resource_id]=${id}&sort=created_at`);
  const events = body.data.map(({ attributes: { slug, data } }: ResourceObject) => [
    slug,
    JSON.stringify(data).match(/"external_state":"(\w+)"/)?.[1],
  ]);
  expect(events).toEqual(
    exit
      ? [
          ['created', 'pending'],
          ['updated', state],
        ]
      : [['created', state]],
  );
}

/** Authentication columns of the payment, which are null if the card is not attached. */
async function expectColumns(payment: string, { status, shifted }: Row, eci: string) {
  const { attributes } = await bank.context.client.fetch('payment_demands', payment);
  expect(attributes).toMatchObject({
    status: status ? 'ready' : 'incomplete',
    threeds_status: status,
    threeds_version: status && '2.2.0',
    eci: status && eci,
  });
  const isNamed = status !== null && status !== 'not_enrolled';
  const isPresent = (name: string) => attributes[name] !== null;
  expect({
    cryptogram: isPresent('threeds_cryptogram'),
    directory: isPresent('directory_transaction_eid'),
    acs: isPresent('acs_transaction_eid'),
  }).toEqual({ cryptogram: shifted, directory: isNamed, acs: isNamed });
}

/** Effects of a confirmation, in the interface, in its events and at the network. */
async function expectPayment(id: string, amount: number, { status, shifted }: Row) {
  const { client } = bank.context;
  const seenByBank = () => bank.authorisations.filter((one) => one.amount === amount);
  if (!status) {
    const { status: refused } = await client.send('PATCH', `/v2/payment_demands/${id}/confirm`);
    expect([refused, seenByBank()]).toEqual([422, []]);
    expect(await eventSlugsOf(client, id)).toEqual([]);
    return;
  }
  const paid = await pay(client, id);
  expect(paid.status).toBe('succeeded');
  // The confirmation emits its creation and its change at the same time.
  const events = await eventSlugsOf(client, id);
  expect([events.slice(0, 2).sort(), events.slice(2)]).toEqual([
    ['created', 'updated'],
    ['succeeded'],
  ]);
  const [message, ...more] = seenByBank();
  expect(more).toEqual([]);
  expect(message?.authentication).toEqual({
    eci: paid.eci,
    ...(shifted && { cavv: paid.threeds_cryptogram }),
    ...(status !== 'not_enrolled' && { transaction_id: paid.directory_transaction_eid }),
  });
  if (shifted) expect(await authoriseAgain(amount, message?.authentication)).toBe('declined');
}

/** The network's response to the same proof in another authorisation: it has checked and counted the proof. */
function authoriseAgain(amount: number, authentication: object | undefined) {
  const number = sandboxCards.find(({ token }) => token === 'pan_test_visa')?.number;
  return bank.authorise({
    reference: `again-${amount}`,
    amount,
    currency: 'USD',
    card: { number, expiry_month: '12', expiry_year: '2031' },
    authentication,
  });
}

it('a card that another one replaces during its challenge counts no failure', async () => {
  const before = await countFailures(session);
  const verified = await verifyCard(bank.context, bank.amountFor('challenge'));
  await verifyCard(bank.context, 0, 'mastercard', verified.paymentId);
  expect((await waitForChallengeEnd(bank.context, verified)).detail.code).toBe(
    'challenge_replaced',
  );
  expect(await countFailures(session)).toBe(before);
});

describe('a merchant that requires 3-D Secure', () => {
  // `decide.test.ts` has the other results that prove nothing.
  it('refuses a card whose bank does not take part, and counts no failure', async () => {
    const merchant = await bank.fixtures.makeMerchant({ threeds_sandbox: 'required' });
    const browserKey = await merchant.makeKey({ context: 'browser' });
    const stand = bank.contextOf(await merchant.makeKey(), browserKey);
    const verified = await verifyCard(stand, bank.amountFor('not_enrolled'));
    const { result, detail } = verified.answer;
    expect([result, detail.code]).toEqual(['failed', 'authentication_required']);
    expect(await countFailures(verified.session)).toBe(0);
  });
});
