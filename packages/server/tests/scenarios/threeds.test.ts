import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import type { VerifyAnswer } from '@florin/contract/protocol/frame.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSigner } from '../../src/platform/crypto/signer.ts';
import { callForm } from '../support/bank.ts';
import type { ResourceObject } from '../support/client.ts';
import { mountForm } from '../support/form.ts';
import { openSecret } from '../support/instance-secrets.ts';
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

const MIGRATIONS = join(import.meta.dirname, '../../src/platform/database/migrations');
const bank = useBank();

/** Electronic commerce indicators of Visa. `simulator/tests/threeds.test.ts` has those of the other brands. */
const indicators = {
  authenticated: '05',
  attempted: '06',
  informational: '07',
  none: '07',
} as const;

interface MatrixRow {
  readonly result: string;
  readonly behaviour: BankBehaviour;
  /** The cardholder's action if the bank requests one. */
  readonly cardholderAction?: (
    context: VerificationContext,
    verification: CardVerification,
  ) => Promise<unknown>;
  /** threeds_status of the payment; null if the card is not attached. */
  readonly status: string | null;
  readonly eci: keyof typeof indicators;
  /** Whether the payment has a cryptogram and the issuer bears its fraud. */
  readonly hasLiabilityShift: boolean;
  readonly formResult: VerifyAnswer['result'];
  /** Code that the form gets for a failure. */
  readonly code?: string;
  /** Whether it counts as a failure against the form's key, which limits guesses. */
  readonly countsFailure?: true;
}

const enterRightCode = (context: VerificationContext, verification: CardVerification) =>
  enterCodes(context, verification, [CODE]);
const enterWrongCodes = (context: VerificationContext, verification: CardVerification) =>
  enterCodes(context, verification, ['1', '2', '3']);

async function leaveOpen(context: VerificationContext, verification: CardVerification) {
  await enterCodes(context, verification, []);
  await bank.expireAuthentications(verification.paymentId);
}

const PASSED = { formResult: 'verified', hasLiabilityShift: false, eci: 'none' } as const;
const FAILED = {
  formResult: 'failed',
  status: null,
  hasLiabilityShift: false,
  eci: 'none',
} as const;
const SHIFTED = { formResult: 'verified', hasLiabilityShift: true } as const;

/** Every result, with every way to reach it. */
const matrix: readonly MatrixRow[] = [
  {
    result: 'Frictionless Success',
    behaviour: 'frictionless',
    ...SHIFTED,
    status: 'Y',
    eci: 'authenticated',
  },
  {
    result: 'Frictionless Rejection',
    behaviour: 'rejected',
    ...FAILED,
    code: 'authentication_failed',
    countsFailure: true,
  },
  {
    result: 'Challenge Prompt, passed',
    behaviour: 'challenge',
    cardholderAction: enterRightCode,
    ...SHIFTED,
    status: 'Y',
    eci: 'authenticated',
  },
  {
    result: 'Challenge Prompt, failed',
    behaviour: 'challenge',
    cardholderAction: enterWrongCodes,
    ...FAILED,
    code: 'challenge_failed',
    countsFailure: true,
  },
  {
    result: 'Challenge Prompt, given up',
    behaviour: 'challenge',
    cardholderAction: cancelChallenge,
    ...FAILED,
    code: 'challenge_cancelled',
  },
  {
    result: 'Challenge Prompt, never ended',
    behaviour: 'challenge',
    cardholderAction: leaveOpen,
    ...FAILED,
    code: 'challenge_timeout',
  },
  { result: 'Not Enrolled', behaviour: 'not_enrolled', ...PASSED, status: 'not_enrolled' },
  {
    result: 'Issuer Rejected',
    behaviour: 'unattempted',
    ...FAILED,
    code: 'authentication_failed',
    countsFailure: true,
  },
  { result: 'Unattempted (U)', behaviour: 'unavailable', ...PASSED, status: 'U' },
  { result: 'Attempted (A)', behaviour: 'attempted', ...SHIFTED, status: 'A', eci: 'attempted' },
  {
    result: 'For information (I)',
    behaviour: 'informational',
    ...PASSED,
    status: 'I',
    eci: 'informational',
  },
];

/** Failures counted for the key of a form, which has one subject for all its payments. */
async function countFailures(session: string): Promise<number> {
  const payload = Buffer.from(session.split('.')[1] ?? '', 'base64url').toString();
  const signer = createSigner(
    await openSecret(bank.fixtures.db, bank.network.dataDir, 'card_tries'),
  );
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
    const failuresBefore = await countFailures(session);
    const amount = bank.amountFor(row.behaviour);
    const verification = await verifyCard(context, amount);
    await row.cardholderAction?.(context, verification);
    const answer = row.cardholderAction
      ? await waitForChallengeEnd(context, verification)
      : verification.answer;
    expect([answer.result, answer.detail.code]).toEqual([row.formResult, row.code]);
    // The form may request the result again, which counts no failure.
    const request = { session: verification.session, authentication: handleOf(verification) };
    if (row.cardholderAction)
      expect(await callForm(context.server, 'challenge', request)).toEqual(answer);
    expect((await countFailures(session)) - failuresBefore).toBe(row.countsFailure ? 1 : 0);

    await expectColumns(verification.paymentId, row, indicators[row.eci]);
    await expectMethod(answer.detail.payment_method as string, row);
    await expectPayment(verification.paymentId, amount, row);
    expect(await bank.authenticationsOf(verification.paymentId)).toHaveLength(1);
  });
});

/** The payment method's state, its events with their states, and no proof. */
async function expectMethod(id: string, { status, cardholderAction }: MatrixRow) {
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
    cardholderAction
      ? [
          ['created', 'pending'],
          ['updated', state],
        ]
      : [['created', state]],
  );
}

/** Authentication columns of the payment, which are null if the card is not attached. */
async function expectColumns(
  paymentId: string,
  { status, hasLiabilityShift }: MatrixRow,
  eci: string,
) {
  const { attributes } = await bank.context.client.fetch('payment_demands', paymentId);
  expect(attributes).toMatchObject({
    status: status ? 'ready' : 'incomplete',
    threeds_status: status,
    threeds_source: status && 'verified',
    threeds_version: status && '2.2.0',
    eci: status && eci,
  });
  const hasTransaction = status !== null && status !== 'not_enrolled';
  const isPresent = (name: string) => attributes[name] !== null;
  expect({
    cryptogram: isPresent('threeds_cryptogram'),
    directory: isPresent('directory_transaction_eid'),
    acs: isPresent('acs_transaction_eid'),
  }).toEqual({ cryptogram: hasLiabilityShift, directory: hasTransaction, acs: hasTransaction });
}

/** Effects of a confirmation, in the interface, in its events and at the network. */
async function expectPayment(id: string, amount: number, { status, hasLiabilityShift }: MatrixRow) {
  const { client } = bank.context;
  const listAuthorisations = () =>
    bank.authorisations.filter((authorisation) => authorisation.amount === amount);
  if (!status) {
    const { status: confirmStatus } = await client.send(
      'PATCH',
      `/v2/payment_demands/${id}/confirm`,
    );
    expect([confirmStatus, listAuthorisations()]).toEqual([422, []]);
    expect(await eventSlugsOf(client, id)).toEqual([]);
    return;
  }
  const { threeds_cryptogram } = (await client.fetch('payment_demands', id)).attributes;
  const payment = await pay(client, id);
  expect([payment.status, payment.threeds_cryptogram]).toEqual(['succeeded', null]);
  // The confirmation emits its creation and its change at the same time.
  const events = await eventSlugsOf(client, id);
  expect([events.slice(0, 2).sort(), events.slice(2)]).toEqual([
    ['created', 'updated'],
    ['succeeded'],
  ]);
  const [message, ...otherMessages] = listAuthorisations();
  expect(otherMessages).toEqual([]);
  expect(message?.authentication).toEqual({
    eci: payment.eci,
    ...(hasLiabilityShift && { cavv: threeds_cryptogram }),
    ...(status !== 'not_enrolled' && { transaction_id: payment.directory_transaction_eid }),
  });
  if (hasLiabilityShift)
    expect(await authoriseAgain(amount, message?.authentication)).toBe('declined');
}

/** Sends the same proof in another authorisation. The network has counted the proof already. */
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
  const failuresBefore = await countFailures(session);
  const verification = await verifyCard(bank.context, bank.amountFor('challenge'));
  await verifyCard(bank.context, 0, 'mastercard', verification.paymentId);
  expect((await waitForChallengeEnd(bank.context, verification)).detail.code).toBe(
    'challenge_replaced',
  );
  expect(await countFailures(session)).toBe(failuresBefore);
});

describe('a merchant that requires 3-D Secure', () => {
  // `decide.test.ts` has the other results that prove nothing.
  it('refuses a card whose bank does not take part, and counts no failure', async () => {
    const merchant = await bank.fixtures.makeMerchant({ threeds_sandbox: 'required' });
    const browserKey = await merchant.makeKey({ context: 'browser' });
    const context = bank.contextOf(await merchant.makeKey(), browserKey);
    const verification = await verifyCard(context, bank.amountFor('not_enrolled'));
    const { result, detail } = verification.answer;
    expect([result, detail.code]).toEqual(['failed', 'authentication_required']);
    expect(await countFailures(verification.session)).toBe(0);
  });
});

/** Effect of the version before on the database, after a card was verified in a form. */
const olderResults: readonly [string, string, string][] = [
  [
    'before the upgrade',
    'update payment_demands set threeds_source = null where id = $1',
    readFileSync(`${MIGRATIONS}/0112-verified-results.sql`, 'utf8'),
  ],
  [
    'by an older process during the upgrade',
    `with payment as (update payment_demands set threeds_source = null where id = $1)
     update authentications set attached_at = null where payment_id = $1`,
    "update authentications set attached_at = now() where status = 'authenticated' and attached_at is null",
  ],
];

describe('a payment that requires a result verified by Florin', () => {
  async function makeOlderResult(sql: string) {
    const merchant = await bank.fixtures.makeMerchant({ threeds_sandbox: 'required' });
    const browserKey = await merchant.makeKey({ context: 'browser' });
    const context = bank.contextOf(await merchant.makeKey(), browserKey);
    const { paymentId, answer } = await verifyCard(context, bank.amountFor('frictionless'));
    expect(answer.result).toBe('verified');
    await bank.fixtures.db.query(sql, [paymentId]);
    const confirm = () => context.client.send('PATCH', `/v2/payment_demands/${paymentId}/confirm`);
    return { paymentId, confirm };
  }

  it.each(olderResults)('accepts one that a form verified %s', async (_when, sql, repair) => {
    const { confirm } = await makeOlderResult(sql);
    expect((await confirm()).status).toBe(422);
    for (const statement of repair.split(';')) await bank.fixtures.db.query(statement, []);
    expect((await confirm()).status).toBe(200);
  });

  it.each(olderResults)('refuses one of another transaction %s', async (_when, sql, repair) => {
    const { paymentId, confirm } = await makeOlderResult(sql);
    await bank.fixtures.db.query(
      `update payment_demands set directory_transaction_eid = 'asserted' where id = $1`,
      [paymentId],
    );
    for (const statement of repair.split(';')) await bank.fixtures.db.query(statement, []);
    expect((await confirm()).status).toBe(422);
  });
});
