import { takeSnapshot } from '@florin/dev-env/snapshot.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Database, type Db, openDatabase } from '../../src/platform/database/db.ts';
import { replaceFact } from '../../src/platform/database/installation/installation-facts.ts';
import { shortReference } from '../../src/processors/adapters/checkout-com/reference.ts';
import { firstChannel, useCheckoutStack } from '../support/checkout-com.ts';
import type { ResourceObject } from '../support/client.ts';
import {
  eventually,
  makeAuthorisedPayment,
  makeCapture,
  makeCapturedPayment,
  makeDemand,
  makeParties,
  makeRefund,
  newestOf,
  waitForOutcome,
} from '../support/make.ts';
import { operatorOf } from '../support/operator.ts';
import {
  allowFollowUpAttempts,
  allowFollowUpOutcomes,
  refuseFollowUpAttempts,
  refuseFollowUpOutcomes,
} from '../support/refuse-attempts.ts';
import { restoreCommandAt } from '../support/restore-command.ts';
import { waitUntilDrained } from '../support/story-clock.ts';

const florin = useCheckoutStack();
/** An order that was confirmed, authorised and captured after the restored time. */
let order: ResourceObject;
/** A hold that was captured in part, and payments of which parts were refunded: by Florin, and at the processor. */
let hold: ResourceObject;
let refunded: ResourceObject;
let refundedThere: ResourceObject;
/** A payment whose capture was due at the restored time, and of which a part was refunded later. */
let due: ResourceObject;
/** A hold whose capture was due at the restored time, and that somebody released at the processor instead. */
let released: ResourceObject;
/** Another order of the lost time, which an operator closes while a person decides about it. */
let raced: ResourceObject;

const restored = restoreCommandAt(() => florin.stack.serverDatabaseUrl);

async function withDatabase<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
  await using db = openDatabase({ url: florin.stack.databaseUrl, connections_max: 1 });
  return await work(db);
}

const attemptOf = ({ id }: ResourceObject): Promise<string> =>
  withDatabase(async (db) => {
    const [row] = await db.query(
      `select id from attempts where payment_demand_id = $1 and operation = 'authorise'`,
      [id],
    );
    return row?.id as string;
  });

/** Refunds or releases a payment in the processor's own dashboard. */
async function changeAtProcessor(
  payment: ResourceObject,
  change: 'refunds' | 'voids',
  body: object = {},
): Promise<void> {
  const [found] = await florin.paymentsOf(shortReference(await attemptOf(payment)));
  const response = await fetch(`${florin.api_url}/payments/${found?.id}/${change}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${firstChannel.secret_key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(202);
}

/** Waits until so many transactions of the database wait for a lock. */
const waitForLocks = (tx: Db, count: number) =>
  eventually(
    () =>
      tx.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        [],
      ),
    ({ length }) => length >= count,
  );

const attributesOf = async ({ id }: ResourceObject) =>
  (await florin.client.fetch('payment_demands', id)).attributes;

const auditedCommandsOf = (subject: string) =>
  withDatabase(async (db) => {
    const rows = await db.query(
      `select entry::jsonb ->> 'command' as command from audit_log
       where entry::jsonb ->> 'subject' = $1 order by seq`,
      [subject],
    );
    return rows.map(({ command }) => command);
  });

beforeAll(async () => {
  const { stack, client } = florin;
  hold = await makeAuthorisedPayment(client, { amount_cents: 700 });
  refunded = await makeCapturedPayment(client, { amount_cents: 1_500 });
  refundedThere = await makeCapturedPayment(client, { amount_cents: 1_600 });
  due = await makeAuthorisedPayment(client, { amount_cents: 1_100 });
  released = await makeAuthorisedPayment(client, { amount_cents: 1_300 });
  order = await makeDemand(client, { amount_cents: 4_200 }, await makeParties(client));
  raced = await makeDemand(client, { amount_cents: 3_900 }, await makeParties(client));
  await waitUntilDrained(client);
  await refuseFollowUpAttempts(stack.adminDatabaseUrl);
  await makeCapture(client, due);
  await makeCapture(client, released);
  const snapshot = await takeSnapshot(stack.adminDatabaseUrl, () => new Date());
  await changeAtProcessor(released, 'voids');
  await allowFollowUpAttempts(stack.adminDatabaseUrl);
  for (const { id } of [order, raced]) {
    await client.send('PATCH', `/v2/payment_demands/${id}/confirm`);
    await waitForOutcome(client, id);
  }
  await makeCapture(client, hold, { amount_cents: 300 });
  await makeRefund(client, refunded, { amount_cents: 400 });
  await waitUntilDrained(client);
  await changeAtProcessor(refundedThere, 'refunds', { amount: 200 });
  await changeAtProcessor(order, 'refunds', { amount: 900 });
  await makeRefund(client, refundedThere, { amount_cents: 150 });
  await makeRefund(client, due, { amount_cents: 250 });
  await waitUntilDrained(client);
  await stack.stop('server');
  await stack.stop('vault');
  await snapshot.restore();
  await withDatabase((one) => replaceFact(one, 'restored', snapshot.taken_at.toISOString()));
  await stack.start('vault');
  await stack.start('server');
});

/** Checks of the stand-in's cards. */
const CHECKS = { cvc2_check: 'match', postal_code_verification: 'match' };

describe('a restored installation whose processor captures by a second message', () => {
  it('stores no refund without its attempt, which Florin would send again', async () => {
    expect(await restored('learn')).toContain('The run ended early');
    const path = `/v2/refund_demands?filter[payment_demand]=${refunded.id}`;
    expect((await florin.client.get(path)).body.data).toEqual([]);
    await allowFollowUpAttempts(florin.stack.adminDatabaseUrl);
  });

  it('stores no attempt without its outcome, which Florin would send again', async () => {
    await refuseFollowUpOutcomes(florin.stack.adminDatabaseUrl);
    expect(await restored('learn')).toContain('The run ended early');
    await allowFollowUpOutcomes(florin.stack.adminDatabaseUrl);
    const sent = await withDatabase((db) =>
      db.query(
        `select operation, status from attempts where operation <> 'authorise' and status = 'sending'`,
        [],
      ),
    );
    expect(sent).toEqual([]);
    const [capture] = (
      await florin.client.get(`/v2/capture_demands?filter[payment_demand]=${due.id}`)
    ).body.data;
    expect(capture.attributes.status).toBe('pending');
  });

  it('leaves an approval to an operator', async () => {
    const output = await restored('learn');
    expect(output).toContain('refunds and captures recorded: 5');
    expect(output).toContain('held until a processor or a person tells the outcome: 2');
    const { attributes } = await florin.client.fetch('payment_demands', order.id);
    expect(attributes.status).toBe('processing');
    expect(await restored('report')).toContain(`attempt ${await attemptOf(order)}`);
  });

  it('learns captures and refunds of known payments', async () => {
    expect(await attributesOf(hold)).toMatchObject({
      status: 'succeeded',
      amount_captured_cents: 300,
    });
    expect((await attributesOf(refunded)).amount_refundable_cents).toBe(1_100);
    expect(await attributesOf(due)).toMatchObject({
      status: 'succeeded',
      amount_refundable_cents: 850,
    });
  });

  it('leaves a release to a person while Florin has a capture of the hold on its way', async () => {
    const attempt = await attemptOf(released);
    const report = await restored('report');
    expect(report).toContain(`authorisation ${attempt}`);
    expect(report).toContain('released it, and Florin has a capture of it without an outcome');
    expect(await restored('decide', attempt, 'captured', '1300')).toContain(
      `payment ${released.id} has the capture`,
    );
    expect(await restored('decide', attempt, 'unchanged')).toContain('is unchanged');
  });

  it('is not opened before a person has decided about a refund that Florin did not send', async () => {
    const attempt = await attemptOf(refundedThere);
    expect((await attributesOf(refundedThere)).amount_refundable_cents).toBe(1_450);
    expect(await restored('report')).toContain(`authorisation ${attempt}`);
    expect(await restored('open')).toContain('nobody knows about 1 authorisations in doubt');
    expect(await restored('decide', attempt, 'refunded', '200')).toContain('is refunded');
    expect((await attributesOf(refundedThere)).amount_refundable_cents).toBe(1_250);
    expect(await restored('report')).not.toContain(`authorisation ${attempt}`);
    expect(await restored('decide', attempt, 'unchanged')).toContain('or somebody decided');
  });

  it('records a charge with its capture once it is open, and sends no second capture', async () => {
    expect(await restored('open')).toContain('Decide them with restore decide');
    expect(await restored('learn')).toContain('the installation is open');
    const attempt = await attemptOf(order);
    await withDatabase((db) =>
      db.query('update attempts set processor_reference = null where id = $1', [attempt]),
    );
    const [there] = await florin.paymentsOf(shortReference(attempt));
    expect(await restored('decide', attempt, 'charged')).toContain('refunds need an id');
    expect(await restored('decide', attempt, 'charged', shortReference(attempt))).toContain(
      'must be the payment’s id of the Dashboard: pay_ and 26 letters and digits',
    );
    expect(await restored('decide', attempt, 'charged', there?.id as string)).toContain(
      'was charged',
    );
    expect((await florin.client.fetch('payment_demands', order.id)).attributes).toMatchObject({
      status: 'succeeded',
      amount_captured_cents: 4_200,
      ...CHECKS,
    });
    expect(await restored('decide', attempt, 'refunded', '900')).toContain('is refunded');
    expect((await attributesOf(order)).amount_refundable_cents).toBe(3_300);
    expect(await restored('decide', attempt, 'unchanged')).toContain('or somebody decided');
    const other = await attemptOf(refunded);
    expect(await restored('decide', other, 'refunded', '1')).toContain(
      'no authorisation to decide',
    );
    expect(await auditedCommandsOf(attempt)).toEqual([
      'restore decide charged',
      'restore decide refunded 900',
    ]);
    const payment = await florin.client.fetch('payment_demands', order.id);
    const { id } = await makeRefund(florin.client, payment, { amount_cents: 100 });
    const { attributes } = await waitForOutcome(florin.client, id, 'refund_demands');
    expect(attributes.status).toBe('succeeded');
    await waitUntilDrained(florin.client);
    expect((await attributesOf(released)).amount_captured_cents).toBe(0);
    expect(await florin.paymentsOf(shortReference(attempt))).toMatchObject([
      { balances: { total_captured: 4_200, total_refunded: 1_000 } },
    ]);
    expect(await restored('report')).not.toContain('DIFFERS');
  });

  it('records no charge by another id than its processor told', async () => {
    const decided = await restored(
      'decide',
      await attemptOf(raced),
      'charged',
      `pay_${'a'.repeat(26)}`,
    );
    expect(decided).toMatch(/the processor told pay_\w+ of this payment, not pay_a/);
  });

  it('records no charge whose processor tells another amount at that moment', async () => {
    const attempt = await attemptOf(raced);
    const decided = await withDatabase((db) =>
      db.transaction(async (tx) => {
        await tx.query('select 1 from payment_demands where id = $1 for update', [raced.id]);
        const decide = restored('decide', attempt, 'charged');
        await waitForLocks(tx, 1);
        await tx.query('update attempts set approved_cents = 900 where id = $1', [attempt]);
        return [decide] as const;
      }),
    );
    expect(await decided[0]).toContain('the processor approved 900 USD');
    expect((await attributesOf(raced)).status).toBe('processing');
    await withDatabase((db) =>
      db.query('update attempts set approved_cents = null where id = $1', [attempt]),
    );
  });

  it('records no charge of a payment that an operator closes as failed at that moment', async () => {
    const attempt = await attemptOf(raced);
    const { id: merchant } = await newestOf(florin.client, 'merchants');
    const path = `/merchants/${merchant}/sandbox/unknown_outcomes/${attempt}/close`;
    const closing = { outcome: 'failed', reason: 'Refunded there' };
    const [closed, decided] = await withDatabase(async (db) => {
      // The account gave no reference, as in an outage: a late approval of such an attempt is reversed.
      await db.query('update attempts set processor_reference = null where id = $1', [attempt]);
      return db.transaction(async (tx) => {
        await tx.query('select 1 from payment_demands where id = $1 for update', [raced.id]);
        const close = operatorOf(florin).change('POST', path, closing);
        await waitForLocks(tx, 1);
        const decide = restored('decide', attempt, 'charged');
        await waitForLocks(tx, 2);
        return [close, decide] as const;
      });
    });
    await closed;
    expect(await decided).toContain('Refund the charge at the processor');
    expect((await attributesOf(raced)).status).toBe('failed');
    expect(await auditedCommandsOf(attempt)).toEqual([]);
  });
});
