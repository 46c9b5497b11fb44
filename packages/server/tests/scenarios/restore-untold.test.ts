import { takeSnapshot } from '@florin/dev-env/snapshot.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { replaceFact } from '../../src/platform/database/installation/installation-facts.ts';
import type { ResourceObject } from '../support/client.ts';
import {
  makeAuthorisedPayment,
  makeCapture,
  makeCapturedPayment,
  makeRefund,
} from '../support/make.ts';
import { allowFollowUpAttempts, refuseFollowUpAttempts } from '../support/refuse-attempts.ts';
import { restoreCommandAt } from '../support/restore-command.ts';
import { waitUntilDrained } from '../support/story-clock.ts';
import { useCnpStack } from '../support/worldpay-cnp.ts';

const florin = useCnpStack();
/** A hold that was captured after the restored time, and a payment of which a part was refunded then. */
let hold: ResourceObject;
let paid: ResourceObject;
/** Holds about which a person finds several changes, a part, and something after the opening. */
let several: ResourceObject;
let part: ResourceObject;
let late: ResourceObject;
/** A payment whose refund was due at the restored time, and sent later. */
let due: ResourceObject;

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

const attributesOf = async ({ id }: ResourceObject) =>
  (await florin.client.fetch('payment_demands', id)).attributes;

async function decideAbout(payment: ResourceObject, words: string): Promise<void> {
  const output = await restored('decide', await attemptOf(payment), ...words.split(' '));
  expect(output).toContain(`is ${words}.`);
}

beforeAll(async () => {
  const { stack, client } = florin;
  hold = await makeAuthorisedPayment(client, { amount_cents: 700 });
  several = await makeAuthorisedPayment(client, { amount_cents: 900 });
  part = await makeAuthorisedPayment(client, { amount_cents: 800 });
  late = await makeAuthorisedPayment(client, { amount_cents: 600 });
  paid = await makeCapturedPayment(client, { amount_cents: 1_500 });
  due = await makeCapturedPayment(client, { amount_cents: 1_200 });
  await waitUntilDrained(client);
  await refuseFollowUpAttempts(stack.adminDatabaseUrl);
  await makeRefund(client, due, { amount_cents: 300 });
  const snapshot = await takeSnapshot(stack.adminDatabaseUrl, () => new Date());
  await allowFollowUpAttempts(stack.adminDatabaseUrl);
  await makeCapture(client, hold, { amount_cents: 700 });
  await makeRefund(client, paid, { amount_cents: 400 });
  await waitUntilDrained(client);
  await stack.stop('server');
  await stack.stop('vault');
  await snapshot.restore();
  await allowFollowUpAttempts(stack.adminDatabaseUrl);
  await withDatabase((one) => replaceFact(one, 'restored', snapshot.taken_at.toISOString()));
  await stack.start('vault');
  await stack.start('server');
});

describe('a restored installation whose processor does not list changes of payments', () => {
  it('leaves each hold to a person, and is not opened before', async () => {
    expect(await restored('learn')).toContain('a person tells the outcome: 4');
    const report = await restored('report');
    expect(report).toContain(`authorisation ${await attemptOf(hold)}`);
    expect(report).toContain('does not list refunds of the lost time');
    expect(await restored('open')).toContain('4 authorisations in doubt and later refunds at');
    const accepting = await restored('open', '--accept-unreported');
    expect(accepting).toContain('nobody knows about 4 authorisations in doubt. Decide');
  });

  it('records what a person found, and asks for no acceptance of that', async () => {
    const captured = await restored('decide', await attemptOf(hold), 'captured', '700');
    expect(captured).toContain('is captured');
    expect(await restored('decide', await attemptOf(paid), 'refunded', '400')).toContain(
      'is refunded',
    );
    expect(await attributesOf(hold)).toMatchObject({
      status: 'succeeded',
      amount_captured_cents: 700,
    });
    expect((await attributesOf(paid)).amount_refundable_cents).toBe(1_100);
    await decideAbout(several, 'captured 300 captured 200 released refunded 100');
    expect(await attributesOf(several)).toMatchObject({
      status: 'succeeded',
      amount_captured_cents: 500,
      amount_refundable_cents: 400,
    });
    await decideAbout(part, 'captured 300');
    expect(await attributesOf(part)).toMatchObject({
      status: 'authorised',
      amount_captured_cents: 300,
    });
    expect(await restored('learn')).toContain('a person tells the outcome: 1');
  });

  it('books no refund that Florin itself finds out about', async () => {
    const refused = await restored('decide', await attemptOf(due), 'refunded', '300');
    expect(refused).toContain(`payment ${due.id} has the refund`);
    expect(refused).toContain('open with --accept-undecided');
    expect((await attributesOf(due)).amount_refundable_cents).toBe(900);
  });

  it.each([
    ['released captured 100', 'a released hold cannot be captured'],
    ['captured 100 refunded 50', 'Only a succeeded payment can be refunded'],
    ['captured 601', 'more than the bank holds'],
    ['captured', 'say the amount in minor units after captured'],
    ['unchanged captured 100', 'or all changes in their order'],
    ['released released', 'or all changes in their order'],
  ])('records nothing of "%s"', async (words, reason) => {
    expect(await restored('decide', await attemptOf(late), ...words.split(' '))).toContain(reason);
    expect(await attributesOf(late)).toMatchObject({
      status: 'authorised',
      amount_captured_cents: 0,
    });
  });

  it('is opened once a person accepts unknown refunds, and moves no money again', async () => {
    const undecided = 'nobody knows about 1 authorisations in doubt and later refunds at';
    expect(await restored('open')).toContain(undecided);
    const accepted = ['--accept-unreported', '--accept-undecided'];
    expect(await restored('open', ...accepted)).toContain('is open');
    await decideAbout(late, 'captured 400 released');
    expect(await attributesOf(late)).toMatchObject({
      status: 'succeeded',
      amount_captured_cents: 400,
    });
    await waitUntilDrained(florin.client);
    const [captured] = await florin.paymentsOf(await attemptOf(hold));
    const [refunded] = await florin.paymentsOf(await attemptOf(paid));
    const [dueThere] = await florin.paymentsOf(await attemptOf(due));
    expect([captured?.captured, refunded?.refunded, dueThere?.refunded]).toEqual([700, 400, 300]);
    expect((await attributesOf(due)).amount_refundable_cents).toBe(900);
    expect(await restored('report')).not.toContain('DIFFERS');
    const entries = await withDatabase((db) =>
      db.query(`select 1 from audit_log where entry like '%later refunds at%'`, []),
    );
    expect(entries).toHaveLength(1);
  });
});
