import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { assessRisk } from '../../src/features/risk/assess.ts';
import { lockVelocityLimits } from '../../src/features/risk/sql.ts';
import { loadCatalog } from '../../src/platform/database/catalog.ts';
import { type Db, openDatabase } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { insertRows } from '../../src/platform/database/rows.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { useApi } from '../support/api.ts';
import type { Client, Relations, ResourceObject } from '../support/client.ts';
import {
  eventually,
  makeAddress,
  makeCustomer,
  makeDemand,
  makeListEntry,
  makeMethod,
  makeParties,
  makeVelocityLimit,
  waitForOutcome,
} from '../support/make.ts';
import type { Merchant } from '../support/merchants.ts';

const api = useApi();

/** A separate merchant per test, whose lists and limits no other test uses. */
let client: Client;
let merchant: Merchant;
beforeEach(async () => {
  merchant = await api.fixtures.makeMerchant();
  client = api.as(await merchant.makeKey());
});

async function charge(parties: Relations, attributes: object = {}): Promise<ResourceObject> {
  const { id } = await makeDemand(client, { confirmed: true, ...attributes }, parties);
  return waitForOutcome(client, id);
}

const outcomeOf = ({ attributes: { status, failure_reason, risk_outcome } }: ResourceObject) => [
  failure_reason ?? status,
  risk_outcome && [risk_outcome.rule, risk_outcome.kind],
];

/** Counts messages to the processor for a payment. */
async function countMessages({ id }: ResourceObject): Promise<number> {
  const rows = await api.fixtures.db.query(
    'select 1 from attempts where merchant_id = $1 and payment_demand_id = $2',
    [merchant.id, id],
  );
  return rows.length;
}

/** The attempt of a payment. */
async function findAttempt({ id }: ResourceObject): Promise<Row> {
  const [row] = await api.fixtures.db.query('select * from attempts where payment_demand_id = $1', [
    id,
  ]);
  return { ...row, payment_demand_id: id };
}

/** Stores attempts as attempts of live mode. */
async function addLiveAttempts(db: Db, attempts: readonly Row[]): Promise<void> {
  const rows = attempts.map((attempt) => ({ ...attempt, id: randomUUID(), mode: 'live' }));
  await insertRows(db, await loadCatalog(db), 'attempts', rows);
}

/** The refusal that a payment would get in live mode. */
async function liveRefusalOf(tx: Db, id: string): Promise<string | undefined> {
  const rows = await tx.query('select * from payment_demands where id = $1', [id]);
  const verdicts = await assessRisk(
    tx,
    rows.map((row) => ({ ...row, mode: 'live' })),
    systemClock().now(),
  );
  return [...verdicts.values()][0]?.refusal;
}

/** Counts waiters of this database only: other databases of the server have locks too. */
const countLockWaiters = async (): Promise<number> => {
  const sql = `select from pg_locks join pg_database d on d.oid = database
    where d.datname = current_database() and locktype = 'advisory' and not granted`;
  return (await api.fixtures.db.query(sql, [])).length;
};

const callAction = (record: ResourceObject, action: string) =>
  client.send('PATCH', `/v2/${record.type}/${record.id}/${action}`);

describe('a customer that is blocked', () => {
  it('pays nothing until it is unblocked, and nothing is sent', async () => {
    const parties = await makeParties(client);
    const payer = parties.payer as ResourceObject;
    await callAction(payer, 'block');
    const refusedPayment = await charge(parties);
    expect(outcomeOf(refusedPayment)).toEqual(['customer_blocked', ['customer_blocked', null]]);
    expect(await countMessages(refusedPayment)).toBe(0);
    await callAction(payer, 'unblock');
    await callAction(refusedPayment, 'confirm');
    const { attributes } = await waitForOutcome(client, refusedPayment.id);
    expect([attributes.status, attributes.risk_outcome]).toEqual(['succeeded', null]);
  });

  it('emits one event, however often it is blocked', async () => {
    const customer = await makeCustomer(client);
    const answers = [await callAction(customer, 'block'), await callAction(customer, 'block')];
    const times = answers.map(({ body }) => body.data.attributes.blocked_at);
    expect(times[0]).not.toBeNull();
    expect(times[1]).toBe(times[0]);
    const { body } = await client.get(
      `/v2/events?filter[resource_id]=${customer.id}&sort=created_at`,
    );
    const slugs = body.data.map(({ attributes }: ResourceObject) => attributes.slug);
    expect(slugs).toEqual(['created', 'updated']);
  });
});

describe('the block list', () => {
  it('refuses payments by each kind of entry, and accepts them once the entry is removed', async () => {
    const parties = await makeParties(client);
    const kinds = {
      email: 'ADA@example.COM',
      email_domain: 'Example.com',
      bin: '400551',
      country: 'USA',
    };
    for (const [kind, value] of Object.entries(kinds)) {
      const entry = await makeListEntry(client, { list: 'block', kind, value });
      const refusedPayment = await charge(parties);
      expect(outcomeOf(refusedPayment)).toEqual(['blocked', ['block_list', kind]]);
      expect(refusedPayment.attributes.risk_outcome.id).toBe(entry.id);
      expect(await countMessages(refusedPayment)).toBe(0);
      await callAction(entry, 'remove');
    }
    expect(outcomeOf(await charge(parties))).toEqual(['succeeded', null]);
  });

  it('refuses a card in any payment method, and no other card', async () => {
    const payment_method = await makeMethod(client, 'visa');
    const card = { list: 'block', kind: 'card', value: null };
    await makeListEntry(client, card, { payment_method });
    const results = [
      await charge(await makeParties(client, 'visa')),
      await charge(await makeParties(client, 'mastercard')),
    ];
    expect(results.map(outcomeOf)).toEqual([
      ['blocked', ['block_list', 'card']],
      ['succeeded', null],
    ]);
  });

  it('of one merchant does not affect another', async () => {
    await makeListEntry(client, { list: 'block', kind: 'bin', value: '400551' });
    const { id } = await makeDemand(
      api.client,
      { confirmed: true },
      await makeParties(api.client, 'visa'),
    );
    expect((await waitForOutcome(api.client, id)).attributes.status).toBe('succeeded');
  });
});

describe('a velocity limit', () => {
  it('of declines stops a tested card, and no other', async () => {
    await makeVelocityLimit(client, { kind: 'card_declines', window_seconds: 3600, max_count: 2 });
    const parties = await makeParties(client, 'generic_decline');
    const results = [await charge(parties), await charge(parties), await charge(parties)];
    expect(results.map(outcomeOf)).toEqual([
      ['generic_decline', null],
      ['generic_decline', null],
      ['velocity_exceeded', ['velocity_limit', 'card_declines']],
    ]);
    expect(outcomeOf(await charge(await makeParties(client, 'visa')))).toEqual(['succeeded', null]);
  });

  it('of amounts is not exceeded by concurrent payments', async () => {
    const limit = { kind: 'card_amount', amount_currency: 'USD', max_count: 3000 };
    await makeVelocityLimit(client, { ...limit, window_seconds: 86_400 });
    const parties = await makeParties(client);
    const results = await Promise.all(
      Array.from({ length: 8 }, () => charge(parties, { amount_cents: 1000 })),
    );
    const reasons = results.map(({ attributes }) => attributes.failure_reason ?? 'succeeded');
    expect(reasons.toSorted()).toEqual([
      ...Array(3).fill('succeeded'),
      ...Array(5).fill('velocity_exceeded'),
    ]);
  });

  it('is counted by one submission after another', async () => {
    await makeVelocityLimit(client);
    const { db } = api.fixtures;
    const selectUnlocked = () =>
      db.query(
        'select 1 from velocity_limits where merchant_id = $1 for no key update skip locked',
        [merchant.id],
      );
    const rowCounts = await db.transaction(async (tx) => {
      const limits = await lockVelocityLimits(tx, [merchant.id]);
      return [limits.length, (await selectUnlocked()).length];
    });
    expect(rowCounts).toEqual([1, 0]);
    expect((await selectUnlocked()).length).toBe(1);
  });

  it('of the platform is counted by one submission after another', async () => {
    const parties = await makeParties(client);
    const firstAttempt = await findAttempt(await charge(parties));
    const declinedAttempts = Array.from({ length: 9 }, () => ({
      ...firstAttempt,
      status: 'declined',
    }));
    await addLiveAttempts(api.fixtures.db, declinedAttempts);
    const demands = await Promise.all([1, 2].map(() => makeDemand(client, {}, parties)));
    let assessedCount = 0;
    await using submissionDb = openDatabase({ url: api.stack.databaseUrl, connections_max: 2 });
    const refusals = await Promise.all(
      demands.map(({ id }) =>
        submissionDb.transaction(async (tx) => {
          const refusal = await liveRefusalOf(tx, id);
          assessedCount += 1;
          await eventually(
            async () => assessedCount === 2 || (await countLockWaiters()) > 0,
            Boolean,
          );
          const attempt = { ...firstAttempt, status: 'sending', payment_demand_id: id };
          if (!refusal) await addLiveAttempts(tx, [attempt]);
          return refusal;
        }),
      ),
    );
    expect(refusals.toSorted()).toEqual(['velocity_exceeded', undefined]);
  });

  it('of cards lets a payer continue with cards that are counted already', async () => {
    await makeVelocityLimit(client, { kind: 'payer_cards', window_seconds: 3600, max_count: 2 });
    const payer = await makeCustomer(client);
    const billing_address = await makeAddress(client, {}, { customer: payer });
    const pay = async (card: string) => {
      const payment_method = await makeMethod(client, card, { customer: payer });
      return outcomeOf(await charge({ payer, billing_address, payment_method }))[0];
    };
    const results = [];
    for (const card of ['visa', 'mastercard', 'discover', 'visa']) results.push(await pay(card));
    expect(results).toEqual(['succeeded', 'succeeded', 'velocity_exceeded', 'succeeded']);
  });

  it('of all declines does not apply to entries of the allow list', async () => {
    await makeVelocityLimit(client, { kind: 'merchant_declines', max_count: 1 });
    await makeListEntry(client, { list: 'allow', kind: 'bin', value: '540600' });
    const results = [];
    for (const card of ['lost_card', 'visa', 'mastercard']) {
      results.push(outcomeOf(await charge(await makeParties(client, card))));
    }
    expect(results).toEqual([
      ['lost_card', null],
      ['velocity_exceeded', ['velocity_limit', 'merchant_declines']],
      ['succeeded', ['allow_list', 'bin']],
    ]);
  });
});

describe('the sandbox cards that risk refuses', () => {
  it.each([
    ['always_blocked', 'sandbox_block_list', 'unverified'],
    ['highest_risk', 'score', 'mismatch'],
  ])('%s is refused by a rule, and no message is sent', async (card, rule, postal_code) => {
    const payment = await charge(await makeParties(client, card));
    expect(outcomeOf(payment)).toEqual([card, [rule, null]]);
    expect(payment.attributes.postal_code_verification).toBe(postal_code);
    expect(await countMessages(payment)).toBe(0);
  });

  it('with highest_risk pass the score if the allow list has them, and the network declines them', async () => {
    await makeListEntry(client, { kind: 'bin', value: '540772' });
    const payment = await charge(await makeParties(client, 'highest_risk'));
    expect(outcomeOf(payment)).toEqual(['highest_risk', ['allow_list', 'bin']]);
    expect(await countMessages(payment)).toBe(1);
  });
});
