import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { findBalanceDifferences } from '../../src/features/ledger/sql/balance-check.ts';
import { IS_ANCHOR } from '../../src/features/ledger/sql/ledger-anchor.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { useOwnStack } from '../support/api.ts';
import type { Client, ResourceObject } from '../support/client.ts';
import {
  eventually,
  makeAuthorisedPayment,
  makeCapture,
  makeCapturedPayment,
  makeDispute,
  makeRefund,
  waitForOutcome,
} from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

/** Each check reads all transfers, so checks without pauses would slow the writes. */
const BETWEEN_CHECKS_MS = 25;
const api = useOwnStack();
const type = 'balances';

/** Amounts of a balance in minor units, without `_cents`. */
async function balanceOf(client: Client, currency = 'USD'): Promise<Record<string, number>> {
  const { body } = await client.get(`/v2/${type}?filter[amount_currency]=${currency}`);
  const [{ attributes } = { attributes: {} }] = body.data as ResourceObject[];
  const amounts = Object.entries(attributes).filter(([name]) => name.endsWith('_cents'));
  return Object.fromEntries(amounts.map(([name, value]) => [name.slice(0, -6), Number(value)]));
}

/** A drain wakes the loop that adds up transfers, which would otherwise wait for its next poll. */
const waitForBalance = async (
  expected: Record<string, number>,
  client: Client,
  currency?: string,
): Promise<Record<string, number>> => {
  await client.get('/sandbox/drain?timeout=1');
  return eventually(
    () => balanceOf(client, currency),
    (balance) => Object.entries(expected).every(([name, value]) => balance[name] === value),
  );
};

/** Creates a merchant without payments. Returns its client. */
const makeMerchantClient = async (columns?: Row): Promise<Client> =>
  api.as(await (await api.fixtures.makeMerchant(columns)).makeKey());

/** Waits until a balance includes all payments, so that it no longer changes. Returns it. */
async function makeBalance(): Promise<ResourceObject> {
  const { owed: owedBefore = 0 } = await balanceOf(api.client);
  await makeCapturedPayment(api.client);
  await api.client.get('/sandbox/drain?timeout=1');
  await eventually(
    () => balanceOf(api.client),
    ({ owed = 0 }) => owed > owedBefore,
  );
  return (await api.client.get(`/v2/${type}`)).body.data[0];
}

describe('a balance', () => {
  describeReads(api, type, makeBalance);
  describeRefusedMethods(api, type);
});

/** Concurrent, because each balance waits for its summary. */
describe.concurrent('a balance', () => {
  it('follows a payment, its refund and its dispute', async ({ expect }) => {
    const client = await makeMerchantClient();
    const payment = await makeCapturedPayment(client, { amount_cents: 2500 });
    const afterPayment = { owed: 2395, unsettled: 2500, available: -105, fees: 105 };
    expect(await waitForBalance(afterPayment, client)).toMatchObject({
      ...afterPayment,
      reserved: 0,
      disputed: 0,
    });
    const refund = await makeRefund(client, payment, { amount_cents: 700 });
    await waitForOutcome(client, refund.id, 'refund_demands');
    const afterRefund = { owed: 1695, reserved: 0, available: -805 };
    expect(await waitForBalance(afterRefund, client)).toMatchObject(afterRefund);
    const { attributes } = await makeDispute(client);
    const afterDispute = { disputed: attributes.amount_cents, paid_out: 0 };
    expect(await waitForBalance(afterDispute, client)).toMatchObject(afterDispute);
  });

  it('exists once per currency and mode', async ({ expect }) => {
    const client = await makeMerchantClient({ accepted_currencies: '["USD","EUR"]' });
    await makeCapturedPayment(client, { amount_cents: 1000, amount_currency: 'EUR' });
    await makeCapturedPayment(client, { amount_cents: 1000 });
    for (const currency of ['EUR', 'USD']) {
      expect(await waitForBalance({ owed: 955 }, client, currency)).toMatchObject({ owed: 955 });
    }
    expect(await balanceOf(client, 'GBP')).toEqual({});
  });

  it('equals the sum of its transfers under concurrent writes', async ({ expect }) => {
    const rounds = Array.from({ length: 6 }, async (_, index) => {
      const payment = await makeCapturedPayment(api.client, { amount_cents: 1000 + index });
      if (index % 3 === 0) await makeRefund(api.client, payment, { amount_cents: 100 });
      if (index % 3 === 1) await makeCapture(api.client, await makeAuthorisedPayment(api.client));
    });
    let isWriting = true;
    const writes = Promise.all(rounds).finally(() => {
      isWriting = false;
    });
    do {
      expect(await findBalanceDifferences(api.fixtures.db)).toEqual([]);
      await setTimeout(BETWEEN_CHECKS_MS);
    } while (isWriting);
    await writes;
  });

  it('includes a transfer that was written before others and committed after them', async ({
    expect,
  }) => {
    const client = await makeMerchantClient();
    const { id } = await makeCapturedPayment(client, { amount_cents: 1000 });
    await waitForBalance({ owed: 955 }, client);
    await api.fixtures.db.transaction(async (tx) => {
      await tx.query(
        `insert into ledger_transfers (merchant_id, mode, id, kind, debit_account, credit_account,
           amount_cents, amount_currency, source_id, created_at)
         select merchant_id, mode, gen_random_uuid(), 'captured', 'processor', 'merchant', 7, 'USD',
           gen_random_uuid(), now() from payment_demands where id = $1`,
        [id],
      );
      await makeCapturedPayment(client, { amount_cents: 1000 });
    });
    const expectedBalance = { owed: 955 + 955 + 7 };
    expect(await waitForBalance(expectedBalance, client)).toMatchObject(expectedBalance);
    expect(await findBalanceDifferences(api.fixtures.db)).toEqual([]);
  });
});

describe('a balance', () => {
  it('continues after the database was restored into a cluster that counts from zero', async () => {
    const { db } = api.fixtures;
    const client = await makeMerchantClient();
    await makeCapturedPayment(client, { amount_cents: 1000 });
    await waitForBalance({ owed: 955 }, client);
    await db.transaction(async (tx) => {
      await tx.query('update balance_horizon set posted_before = posted_before + 1000000000', []);
      await tx.query('update ledger_anchor set stamp_offset = stamp_offset', []);
    });
    const anchorSql = `select from ledger_anchor where ${IS_ANCHOR}`;
    await eventually(
      () => db.query(anchorSql, []),
      (rows) => rows.length === 1,
    );
    await makeCapturedPayment(client, { amount_cents: 1000 });
    expect(await waitForBalance({ owed: 1910 }, client)).toMatchObject({ owed: 1910 });
    expect(await findBalanceDifferences(db)).toEqual([]);
  });
});
