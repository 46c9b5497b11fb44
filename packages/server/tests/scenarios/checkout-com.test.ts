import { Registry } from 'prom-client';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAccountKeys } from '../../src/features/processor-accounts/account-keys.ts';
import { createProcessorMetrics } from '../../src/http/health/processor-metrics.ts';
import type { Database } from '../../src/platform/database/db.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { shortReference } from '../../src/processors/adapters/checkout-com/reference.ts';
import { firstChannel, useCheckoutStack } from '../support/checkout-com.ts';
import { documentOf, type ResourceObject } from '../support/client.ts';
import { createClockAhead, passTime } from '../support/clock-ahead.ts';
import { answerWith, pdfBytes, uploadTo, waitForStatus } from '../support/evidence-files.ts';
import {
  eventually,
  makeAddress,
  makeAuthorisedPayment,
  makeCapture,
  makeDemand,
  makeParties,
  makeRefund,
  makeSubscription,
  newestOf,
  waitForDispute,
  waitForOutcome,
} from '../support/make.ts';
import { itTakesNetworkTokens } from '../support/network-token.ts';
import { advanceAndWait, DAY_SECONDS, makeClock } from '../support/sandbox-clocks.ts';

const clock = createClockAhead();
const SECOND_KEY = firstChannel.secret_key.replace('abc', 'bca');
const IN_FLIGHT = { total: 16, merchant: 12, account: 8 };
const florin = useCheckoutStack(clock, { payments_in_flight: IN_FLIGHT });
passTime(clock);

afterEach(async () => {
  await florin.control('DELETE', '/faults');
  await florin.control('DELETE', '/notification-faults');
  await florin.configure();
});

async function pay(
  attributes: object = {},
  card = 'visa',
  given?: Awaited<ReturnType<typeof makeParties>>,
) {
  const parties = given ?? (await makeParties(florin.client, card));
  const { id } = await makeDemand(florin.client, { confirmed: true, ...attributes }, parties);
  return waitForOutcome(florin.client, id);
}

/** The payments at the stand-in of all attempts of a payment. */
async function standInPayments(payment: { readonly id: string }) {
  const rows = await florin.db.query(
    `select id from attempts where payment_demand_id = $1 and operation = 'authorise'`,
    [payment.id],
  );
  const found = rows.map(({ id }) => florin.paymentsOf(shortReference(id as string)));
  return (await Promise.all(found)).flat();
}

const refundOf = async (payment: Parameters<typeof makeRefund>[1], attributes: object = {}) => {
  const { id } = await makeRefund(florin.client, payment, attributes);
  return eventually(
    () => florin.client.fetch('refund_demands', id),
    ({ attributes: { status } }) => ['succeeded', 'failed'].includes(status),
  );
};

describe('a payment through Checkout.com', () => {
  it('is authorised and captured, and its money is at the stand-in', async () => {
    const payment = await pay({ amount_cents: 4_200 });
    expect(payment.attributes).toMatchObject({ status: 'succeeded', amount_captured_cents: 4_200 });
    expect(await standInPayments(payment)).toMatchObject([
      { status: 'Captured', amount: 4_200, balances: { total_captured: 4_200 } },
    ]);
  });

  it.each([
    ['insufficient_funds', 'insufficient_funds'],
    ['stolen_card', 'stolen_card'],
    ['generic_decline', 'generic_decline'],
  ])('with the card %s fails', async (card, reason) => {
    const { attributes } = await pay({}, card);
    expect([attributes.status, attributes.failure_reason]).toEqual(['failed', reason]);
  });

  it('is refunded in parts', async () => {
    const payment = await pay({ amount_cents: 5_000 });
    expect((await refundOf(payment, { amount_cents: 2_000 })).attributes.status).toBe('succeeded');
    expect((await refundOf(payment)).attributes.status).toBe('succeeded');
    expect(await standInPayments(payment)).toMatchObject([{ status: 'Refunded' }]);
  });

  it('is held, and captured in part', async () => {
    const payment = await makeAuthorisedPayment(florin.client, { amount_cents: 5_000 });
    await makeCapture(florin.client, payment, { amount_cents: 3_000 });
    const captured = await waitForOutcome(florin.client, payment.id);
    expect(captured.attributes.amount_captured_cents).toBe(3_000);
    expect(await standInPayments(payment)).toMatchObject([
      { balances: { total_captured: 3_000, available_to_capture: 0 } },
    ]);
  });

  it('is held, and captured in two parts, the first of which has lost its answer', async () => {
    const payment = await makeAuthorisedPayment(florin.client, { amount_cents: 5_000 });
    const fault = { method: 'POST', path: '/captures', kind: 'lose_answer', times: 1 };
    await florin.control('POST', '/faults', fault);
    const parts = [{ amount_cents: 3_000, final: false }, { amount_cents: 1_500 }];
    const balances = [];
    const capturable = [payment.attributes.amount_capturable_cents];
    for (const attributes of parts) {
      const { id } = await makeCapture(florin.client, payment, attributes);
      await waitForOutcome(florin.client, id, 'capture_demands');
      balances.push((await standInPayments(payment))[0]?.balances);
      const after = await florin.client.fetch('payment_demands', payment.id);
      capturable.push(after.attributes.amount_capturable_cents);
    }
    expect(balances).toMatchObject([
      { total_captured: 3_000, available_to_capture: 2_000 },
      { total_captured: 4_500, available_to_capture: 0 },
    ]);
    expect(capturable).toEqual([5_000, 2_000, 0]);
    const captured = await florin.client.fetch('payment_demands', payment.id);
    expect(captured.attributes).toMatchObject({
      status: 'succeeded',
      amount_captured_cents: 4_500,
    });
    expect((await refundOf(captured)).attributes.amount_cents).toBe(4_500);
  });

  it('is held, captured in part, and voided: the rest lapses, and nothing is returned', async () => {
    const payment = await makeAuthorisedPayment(florin.client, { amount_cents: 5_000 });
    const part = { amount_cents: 3_000, final: false };
    const { id } = await makeCapture(florin.client, payment, part);
    await waitForOutcome(florin.client, id, 'capture_demands');
    await florin.client.send('PATCH', `/v2/payment_demands/${payment.id}/void`);
    const { attributes } = await waitForOutcome(florin.client, payment.id);
    expect([attributes.status, attributes.amount_captured_cents]).toEqual(['succeeded', 3_000]);
    expect(await standInPayments(payment)).toMatchObject([
      { balances: { total_captured: 3_000, total_refunded: 0 } },
    ]);
  });

  it('is held, and voided', async () => {
    const payment = await makeAuthorisedPayment(florin.client);
    await florin.client.send('PATCH', `/v2/payment_demands/${payment.id}/void`);
    const voided = await waitForOutcome(florin.client, payment.id);
    expect(voided.attributes.status).toBe('canceled');
    expect(await standInPayments(payment)).toMatchObject([{ status: 'Voided' }]);
  });
});

describe('a refused key', () => {
  /** Takes euros only, so that no other message shows that its key is accepted. */
  const channel = { ...firstChannel, channel: `pc_${'b'.repeat(26)}`, secret_key: SECOND_KEY };
  let account: string;
  beforeAll(async () => {
    account = await florin.addChannel(channel);
    const euros = { name: 'Euros', conditions: { currencies: ['EUR'] }, accounts: [account] };
    await florin.route([euros, { name: 'All', accounts: [florin.account] }]);
  });
  const payEuros = () => pay({ amount_currency: 'EUR' });

  const path = () => `/processor_accounts/${account}`;
  const notice = async () => (await florin.operator.get(path())).body.data.refused_key;
  const refusedKeys = async () => (await florin.operator.get('/health')).body.refused_keys;
  const message = (status: number) => ({
    outcome: 'answered' as const,
    status,
    headers: {},
    body: '',
  });
  /** The notices of another server on the same database. */
  const createServer = (
    db: Pick<Database, 'query'> = florin.db,
    processor_metrics = createProcessorMetrics(),
  ) =>
    createAccountKeys({
      processor_metrics,
      accounts: { find: () => undefined },
      db: db as Database,
      logger: createLogger('silent'),
      system_clock: clock,
    });

  it('is counted, and noticed in the console until a message is accepted; merchants are not told why', async () => {
    await payEuros();
    expect(await notice()).toBeNull();
    const refuse = { method: 'POST', path: '/payments', kind: 'refuse', status: 403, times: 1 };
    await florin.control('POST', '/faults', refuse);
    const { attributes } = await payEuros();
    expect([attributes.status, attributes.failure_reason]).toEqual([
      'failed',
      'processor_unreachable',
    ]);
    const metrics = await (await fetch(`${florin.stack.baseUrl}/metrics`)).text();
    expect(metrics).toContain(`florin_processor_refused_keys_total{account="${account}"} 1`);
    const shown = await eventually(notice, (found) => found !== null);
    expect(shown).toMatchObject({ count: 1, last_status: 403, last_code: null });
    expect(await refusedKeys()).toMatchObject([
      { id: account, mode: 'sandbox', count: 1, since: shown.since },
    ]);
    await payEuros();
    expect(await eventually(notice, (found) => found === null)).toBeNull();
    expect(await refusedKeys()).toEqual([]);
  });

  it('is no refusal of a capture or refund that the state of the payment does not allow', async () => {
    const metrics = createProcessorMetrics();
    const registry = metrics.register(new Registry());
    const server = createServer(florin.db, metrics);
    server.observe(account, message(403), 'follow_up');
    await server.close();
    expect(await notice()).toBeNull();
    server.observe(account, message(401), 'follow_up');
    expect(await registry.metrics()).toContain(`refused_keys_total{account="${account}"} 1`);
    server.observe(account, message(200));
    await server.close();
  });

  it('is counted over all servers, at most one write a minute each', async () => {
    const queries: unknown[] = [];
    const query: Database['query'] = (...given) => {
      queries.push(given);
      return florin.db.query(...given);
    };
    const servers = [createServer({ query }), createServer({ query })];
    for (const server of servers)
      for (let count = 0; count < 500; count += 1) server.observe(account, message(401));
    await eventually(notice, (found) => found?.count === 2);
    expect(queries).toHaveLength(2);
    for (const server of servers) await server.close();
    expect((await notice()).count).toBe(1_000);
    const third = createServer();
    third.observe(account, message(200));
    await third.close();
    expect((await notice()).count).toBe(1_000);
    await third.refresh();
    third.observe(account, message(500));
    await third.close();
    expect((await notice()).count).toBe(1_000);
    third.observe(account, message(200));
    await third.close();
    expect(await notice()).toBeNull();
  });

  it.each([
    ['a check', 'POST', '/check', {}],
    ['a rotation', 'PUT', '', { name: channel.channel, secrets: { secret_key: SECOND_KEY } }],
  ])(
    'is forgotten after %s, also if a server stores its count later',
    async (_, method, to, body) => {
      const [server, late] = [createServer(), createServer()];
      for (const one of [server, late]) one.observe(account, message(401));
      late.observe(account, message(401));
      expect(await eventually(notice, (found) => found?.count === 2)).not.toBeNull();
      const { settings } = (await florin.operator.get(path())).body.data;
      const { status } = await florin.operator.send(method, path() + to, { settings, ...body });
      expect([200, 204]).toContain(status);
      expect(await notice()).toBeNull();
      await late.close();
      expect(await notice()).toBeNull();
      await server.close();
    },
  );
});

describe('a payment whose postal code differs', () => {
  /** Checkout.com's own test address: the line matches, the postal code does not. */
  const payFrom = async (line_1: string) => {
    const parties = await makeParties(florin.client);
    const billing_address = await makeAddress(florin.client, { line_1 });
    const relations = { ...parties, billing_address };
    const { id } = await makeDemand(florin.client, { confirmed: true }, relations);
    return waitForOutcome(florin.client, id);
  };
  const attemptOf = async ({ id }: { readonly id: string }) =>
    (await florin.client.get(`/v2/payment_attempts?filter[payment_demand]=${id}`)).body.data.find(
      (attempt: ResourceObject) => attempt.attributes.operation === 'authorise',
    ).attributes;
  const refuse = async (refused_mismatches: string[]) => {
    const { id } = await newestOf(florin.client, 'merchants');
    const document = documentOf('merchants', { refused_mismatches }, {}, id);
    await florin.client.send('PATCH', `/v2/merchants/${id}`, document);
  };
  afterEach(() => refuse([]));

  it('succeeds by default, and its attempt shows checks, codes and route', async () => {
    const payment = await payFrom('Test_A');
    expect(payment.attributes.status).toBe('succeeded');
    expect(await attemptOf(payment)).toMatchObject({
      status: 'approved',
      cvc2_check: 'match',
      address_line1_verification: 'match',
      postal_code_verification: 'mismatch',
      advice: null,
      codes: { response_code: '10000', avs_check: 'A', cvv_check: 'Y' },
      route: { rule: 'All', account: 'checkout_com', candidates: [florin.account], refused: [] },
    });
  });

  it.each([
    ['answered', {}],
    ['lost, and repeated', { method: 'POST', path: '/reversals', kind: 'lose_answer' }],
  ])('is voided by the rule and never captured, with a reversal that is %s', async (_, fault) => {
    await refuse(['postal_code_mismatch']);
    if ('kind' in fault) await florin.control('POST', '/faults', fault);
    const payment = await payFrom('Test_A');
    expect(payment.attributes).toMatchObject({
      status: 'failed',
      failure_reason: 'card_not_verified',
      amount_captured_cents: 0,
    });
    expect(await attemptOf(payment)).toMatchObject({
      status: 'reversed',
      codes: { avs_check: 'A' },
    });
    expect(await standInPayments(payment)).toMatchObject([
      { status: 'Voided', balances: { total_captured: 0 } },
    ]);
    const path = `/v2/capture_demands?filter[payment_demand]=${payment.id}`;
    expect((await florin.client.get(path)).body.data).toEqual([]);
  });
});

describe('a payment whose answer is lost', () => {
  const lose = { method: 'POST', path: '/payments', kind: 'lose_answer' };

  it.each([
    ['a notification tells its outcome', {}],
    ['an inquiry finds it, since notifications are lost', { kind: 'lost', times: 20 }],
  ])('succeeds once: %s', async (_, fault) => {
    await florin.control('POST', '/faults', lose);
    if ('kind' in fault) await florin.control('POST', '/notification-faults', fault);
    const payment = await pay();
    expect(payment.attributes.status).toBe('succeeded');
    expect(await standInPayments(payment)).toHaveLength(1);
  });

  it('fails if the lost answer was a decline', async () => {
    await florin.control('POST', '/faults', lose);
    const { attributes } = await pay({}, 'insufficient_funds');
    expect([attributes.status, attributes.failure_reason]).toEqual([
      'failed',
      'insufficient_funds',
    ]);
  });
});

it.each(['before_answer', 'doubled', 'out_of_order'])(
  'notifications that come %s change no outcome',
  async (kind) => {
    await florin.control('POST', '/notification-faults', { kind, times: 4 });
    const payment = await pay({ amount_cents: 3_000 });
    expect(payment.attributes.amount_captured_cents).toBe(3_000);
    expect((await refundOf(payment)).attributes.status).toBe('succeeded');
    expect(await standInPayments(payment)).toMatchObject([{ status: 'Refunded' }]);
  },
);

it('a notification with a wrong signature is refused, and an inquiry tells the outcome', async () => {
  const fault = { kind: 'wrong_signature', times: 4 };
  await florin.control('POST', '/notification-faults', fault);
  expect((await pay()).attributes.status).toBe('succeeded');
});

describe('a dispute at Checkout.com', () => {
  /** Opens a dispute of a new payment; returns it, and its id at the stand-in. */
  async function openDispute(parties?: Awaited<ReturnType<typeof makeParties>>) {
    const payment = await pay({ amount_cents: 5_000 }, 'visa', parties);
    const [paid] = await standInPayments(payment);
    const { id } = (await florin.control('POST', `/payments/${paid?.id}/disputes`, {})) as {
      id: string;
    };
    return { id, dispute: await waitForDispute(florin.client, payment.id) };
  }
  const setText = ({ id }: ResourceObject, refund_policy: string | null) =>
    florin.client.send('PATCH', `/v2/disputes/${id}`, {
      data: { type: 'disputes', id, attributes: { refund_policy } },
    });

  it('is answered with a PDF and a text, and won', async () => {
    const { id, dispute } = await openDispute();
    await uploadTo(florin.client, dispute);
    await setText(dispute, 'Within 30 days.');
    expect((await answerWith(florin.client, dispute, 'submit')).status).toBe(200);
    await untilAtStandIn(id, 'evidence_under_review');
    const evidence = (await florin.read(`/disputes/${id}/evidence`)) as Record<string, string>;
    expect(evidence).toEqual({
      refund_or_cancellation_policy_text: 'Within 30 days.',
      invoice_or_receipt_file: expect.stringMatching(/^file_/),
    });
    expect(await florin.read(`/files/${evidence.invoice_or_receipt_file}`)).toMatchObject({
      filename: 'receipt.pdf',
      size: pdfBytes().length,
    });
    await florin.control('POST', `/disputes/${id}/status`, { status: 'won' });
    await waitForStatus(florin.client, dispute, 'won');
  });

  it.each([
    ['the upload', '/files', '/files'],
    ['the evidence', '/disputes/*/evidence', 'PUT'],
    ['the submission', '/disputes/*/evidence', 'POST'],
  ])('is answered once if the answer to %s is lost', async (_, path, method) => {
    const { id, dispute } = await openDispute();
    await uploadTo(florin.client, dispute);
    const fault = { path: path.replace('*', id), method: method === '/files' ? 'POST' : method };
    await florin.control('POST', '/faults', { ...fault, kind: 'lose_answer' });
    await answerWith(florin.client, dispute, 'submit');
    await untilAtStandIn(id, 'evidence_under_review');
    const answered = await eventually(
      () => florin.db.query('select status, due_at from disputes where id = $1', [dispute.id]),
      ([row]) => row?.due_at === null,
    );
    expect(answered).toEqual([{ status: 'under_review', due_at: null }]);
  });

  it('is accepted', async () => {
    const { id, dispute } = await openDispute();
    await answerWith(florin.client, dispute, 'accept');
    await untilAtStandIn(id, 'accepted');
    await waitForStatus(florin.client, dispute, 'lost');
  });

  it('has the deadline of the processor, and refuses what Checkout.com does not take', async () => {
    const { dispute } = await openDispute();
    const days = (Date.parse(dispute.attributes.evidence_due_at) - clock.now() / 1000) / 86_400_000;
    expect(Math.round(days)).toBeGreaterThanOrEqual(13);
    await setText(dispute, 'x'.repeat(501));
    const long = await answerWith(florin.client, dispute, 'submit');
    expect(long.body.errors?.[0]).toMatchObject({
      code: 'invalid',
      detail: expect.stringContaining('at most 500 characters in refund_policy'),
    });
    await setText(dispute, null);
    await uploadTo(florin.client, dispute);
    const double = await uploadTo(florin.client, dispute);
    expect([double.status, double.body.errors?.[0]?.detail]).toEqual([
      422,
      expect.stringContaining('Checkout.com takes one file of the purpose receipt'),
    ]);
  });

  it('keeps its time for evidence after an advance of the sandbox clock', async () => {
    const parties = await makeParties(florin.client);
    const ahead = await makeClock(florin.client, parties.payer as ResourceObject);
    await advanceAndWait(florin.client, ahead, 60 * DAY_SECONDS);
    const { id, dispute } = await openDispute(parties);
    const { created_at, evidence_due_at, status } = dispute.attributes;
    const days = (Date.parse(evidence_due_at) - Date.parse(created_at)) / 86_400_000;
    expect(status).toBe('needs_response');
    expect(Math.round(days)).toBeGreaterThanOrEqual(13);
    await uploadTo(florin.client, dispute);
    expect((await answerWith(florin.client, dispute, 'submit')).status).toBe(200);
    await untilAtStandIn(id, 'evidence_under_review');
  });

  it('needs a response again if Checkout.com refuses the answer', async () => {
    const { id, dispute } = await openDispute();
    await uploadTo(florin.client, dispute);
    await florin.control('POST', '/notification-faults', { kind: 'lost', times: 20 });
    await florin.control('POST', `/disputes/${id}/status`, { status: 'canceled' });
    await answerWith(florin.client, dispute, 'submit');
    const { attributes, meta } = await eventually(
      () => florin.client.fetch('disputes', dispute.id),
      ({ attributes: { response_problem } }) => response_problem !== null,
    );
    expect([attributes.status, attributes.submitted_at]).toEqual(['needs_response', null]);
    expect(attributes.response_problem).toMatch(/^Checkout\.com refused the evidence: /);
    expect(meta?.allowed_actions).toContain('submit');
  });

  const untilAtStandIn = (id: string, status: string) =>
    eventually(
      () => florin.read(`/disputes/${id}`) as Promise<{ status: string }>,
      (dispute) => dispute.status === status,
    );
});

it('Checkout.com hangs, and payments of others are sent meanwhile', async () => {
  const euros = { conditions: { currencies: ['EUR'] }, accounts: [florin.account] };
  await florin.route([{ name: 'Euros', ...euros }]);
  const parties = await makeParties(florin.client);
  const billed = {
    confirmed: true,
    amount_currency: 'EUR',
    billing_period: 'one_day',
    line_items: [{ name: 'Rose', quantity: 1, amount_cents: 2500, amount_currency: 'EUR' }],
  };
  const subscription = await makeSubscription(florin.client, billed, parties);
  const chargesOf = () =>
    florin.db.query(
      `select p.status, (select count(*) from attempts where payment_demand_id = p.id) as attempts
       from payment_demands p where payment_subscription_id = $1 order by p.id`,
      [subscription.id],
    );
  await eventually(chargesOf, ([first]) => first?.status === 'succeeded');
  const hang = { method: 'POST', path: '/payments', kind: 'delay', delay_ms: 14_000, times: 100 };
  await florin.control('POST', '/faults', hang);
  const pay = (amount_currency: string) =>
    makeDemand(florin.client, { confirmed: true, amount_currency }, parties);
  const hanging = await Promise.all(Array.from({ length: IN_FLIGHT.total }, () => pay('EUR')));
  const attemptsOf = () =>
    florin.db.query('select status from attempts where payment_demand_id = any ($1::uuid[])', [
      `{${hanging.map(({ id }) => id)}}`,
    ]);
  await eventually(attemptsOf, ({ length }) => length === IN_FLIGHT.account);
  await florin.db.query(
    `update payment_subscriptions set next_billing_at = created_at + interval '1 second' where id = $1`,
    [subscription.id],
  );
  await eventually(chargesOf, ({ length }) => length > 1);
  expect((await chargesOf()).slice(1)).toEqual([{ status: 'pending', attempts: '0' }]);
  const other = await waitForOutcome(florin.client, (await pay('USD')).id);
  expect(other.attributes.status).toBe('succeeded');
  const statuses = (await attemptsOf()).map(({ status }) => status);
  expect(statuses.filter((status) => status === 'approved')).toEqual([]);
  const waitingPayments = () =>
    florin.db.query(
      `select due_at > created_at as had_turn, updated_at = created_at as is_unchanged
       from payment_demands where status = 'pending' and id = any ($1::uuid[])`,
      [`{${hanging.map(({ id }) => id)}}`],
    );
  const rows = await eventually(
    waitingPayments,
    (payments) => payments.length > 0 && payments.every(({ had_turn }) => had_turn === 't'),
  );
  expect(rows.filter(({ is_unchanged }) => is_unchanged !== 't')).toEqual([]);
  await florin.route([{ name: 'Euros', ...euros, accounts: [florin.account, 'network'] }]);
  const seconds = await eventually(
    () =>
      florin.db.query(
        `select p.status, a.processor, a.route->'after'->>'why' as why from payment_demands p
         join attempts a on a.payment_demand_id = p.id
         where a.processor_account_id is null and p.id = any ($1::uuid[])`,
        [`{${hanging.map(({ id }) => id)}}`],
      ),
    (payments) =>
      payments.length >= rows.length && payments.every(({ status }) => status === 'succeeded'),
  );
  expect(new Set(seconds.map(({ why }) => why))).toEqual(new Set(['no_free_slot']));
});

describe('the stand-in of Checkout.com', () => {
  itTakesNetworkTokens(florin);
});
