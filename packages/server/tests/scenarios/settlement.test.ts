import { describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import type { Client } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import {
  eventually,
  makeAuthorisedPayment,
  makeCapture,
  makeCapturedPayment,
  makeDemand,
  makeDispute,
  makeParties,
  makeRefund,
  waitForOutcome,
} from '../support/make.ts';
import { DAY_SECONDS, POLLING, useSettledDays } from '../support/settled-days.ts';

const clock = createClockAhead();
const now = () => new Date(clock.now() / 1000);
const api = useOwnStack({ config: { clock }, now });

const { createShop, countSettledDays, endDay, listAll, waitForBalance, expectAgreement } =
  useSettledDays(api, clock);

/** A merchant with a payment of 2500 whose answer was lost, after an inquiry found its outcome. */
async function makeLostAnswerShop(): Promise<Client> {
  const client = await createShop();
  const attributes = { confirmed: true, amount_cents: 2500, metadata: { simulate: 'lost_answer' } };
  const { id } = await makeDemand(client, attributes, await makeParties(client));
  const { attributes: paidAttributes } = await eventually(
    async () => {
      const payment = await client.fetch('payment_demands', id);
      if (payment.meta?.outcome === 'unknown') clock.advance(1);
      return payment;
    },
    ({ attributes: { status } }) => status === 'succeeded',
    POLLING,
  );
  expect(paidAttributes.status).toBe('succeeded');
  return client;
}

const listTransferKinds = async (client: Client): Promise<unknown[][]> =>
  (await listAll(client, 'ledger_transfers')).map(({ kind, amount_cents }) => [kind, amount_cents]);

/** A merchant that is paid 2500, and 1000 by two captures of one payment. */
async function makeCapturedShop(): Promise<Client> {
  const client = await createShop();
  await makeCapturedPayment(client, { amount_cents: 2500 });
  const payment = await makeAuthorisedPayment(client);
  for (const attributes of [{ amount_cents: 600, final: false }, { amount_cents: 400 }]) {
    const capture = await makeCapture(client, payment, attributes);
    await waitForOutcome(client, capture.id, 'capture_demands');
  }
  const expected = { owed_cents: 3350, unsettled_cents: 3500, available_cents: -150 };
  expect(await waitForBalance(client, expected)).toMatchObject(expected);
  return client;
}

/** A merchant with payments in yen, of which a part is refunded, and in dinars. */
async function makeForeignShop(): Promise<Client> {
  const merchant = await api.fixtures.makeMerchant();
  const accepted_currencies = ['JPY', 'KWD'];
  const data = { type: 'merchants', id: merchant.id, attributes: { accepted_currencies } };
  const clientBefore = api.as(await merchant.makeKey());
  expect((await clientBefore.send('PATCH', `/v2/merchants/${merchant.id}`, { data })).status).toBe(
    200,
  );
  const client = api.as(await merchant.makeKey());
  const yen = await makeCapturedPayment(client, { amount_currency: 'JPY', amount_cents: 1013 });
  const dinars = await makeCapturedPayment(client, {
    amount_currency: 'KWD',
    amount_cents: 12_345,
  });
  // 40.52 yen and 493.8 fils, each rounded, plus five.
  expect([yen, dinars].map(({ attributes }) => attributes.fee_cents)).toEqual([46, 499]);
  const refund = await makeRefund(client, yen, { amount_cents: 13 });
  await waitForOutcome(client, refund.id, 'refund_demands');
  return client;
}

describe('a finished day', () => {
  it('is settled in each currency: payments become available, and are paid out', async () => {
    const [client, foreignShop, lostAnswerShop] = await Promise.all([
      makeCapturedShop(),
      makeForeignShop(),
      makeLostAnswerShop(),
    ]);
    const day = now().toISOString().slice(0, 10);
    await endDay();

    expect(await listAll(client, 'payouts')).toMatchObject([
      { status: 'paid', amount_cents: 3350, amount_currency: 'USD', settled_on: day },
    ]);
    const finalBalance = {
      owed_cents: 0,
      unsettled_cents: 0,
      available_cents: 0,
      paid_out_cents: 3350,
    };
    expect(await waitForBalance(client, finalBalance)).toMatchObject(finalBalance);
    const transfers = (await listTransferKinds(client)).slice(6);
    expect(transfers.toSorted()).toEqual([
      ['paid_out', 3350],
      ['settled', 2500],
      ['settled', 400],
      ['settled', 600],
    ]);

    const payouts = (await listAll(foreignShop, 'payouts')).map(
      ({ amount_currency, amount_cents }) => [amount_currency, amount_cents],
    );
    expect(payouts.toSorted()).toEqual([
      ['JPY', 1000 - 46],
      ['KWD', 12_345 - 499],
    ]);
    for (const shop of [foreignShop, lostAnswerShop]) {
      expect(await listAll(shop, 'settlement_exceptions')).toEqual([]);
    }
    await waitForBalance(lostAnswerShop, { paid_out_cents: 2395 });
    await expectAgreement();
  });

  it('settles refunds and lost disputes; later payments cover a shortfall, also after days without a server', async () => {
    const client = await createShop();
    const payment = await makeCapturedPayment(client, { amount_cents: 2000 });
    await endDay();
    expect(await waitForBalance(client, { paid_out_cents: 1915 })).toMatchObject({ owed_cents: 0 });
    const refund = await makeRefund(client, payment, { amount_cents: 1500 });
    await waitForOutcome(client, refund.id, 'refund_demands');
    const dispute = await makeDispute(client);
    await client.send('PATCH', `/v2/disputes/${dispute.id}/accept`);
    await eventually(
      () => client.fetch('disputes', dispute.id),
      ({ attributes }) => attributes.status === 'lost',
    );
    await endDay();
    const kinds = (await listTransferKinds(client)).map(([kind]) => kind);
    expect(kinds.filter((kind) => kind === 'settled_back')).toHaveLength(2);
    // The refund, and the fee of the disputed payment.
    const owed_cents = -1500 - 793;
    expect(await waitForBalance(client, { owed_cents, unsettled_cents: 0 })).toMatchObject({
      owed_cents,
    });
    expect(await listAll(client, 'payouts')).toHaveLength(1);

    await makeCapturedPayment(client, { amount_cents: 5000 });
    await api.stack.stop('server');
    const settledBefore = await countSettledDays();
    clock.advance(3 * DAY_SECONDS);
    await api.stack.start('server');
    await eventually(countSettledDays, (count) => count >= settledBefore + 3);
    await waitForBalance(client, { paid_out_cents: 1915 + 5000 - 205 + owed_cents });
    expect(await listAll(client, 'payouts')).toMatchObject([
      { amount_cents: 1915 },
      { amount_cents: 5000 - 205 + owed_cents },
    ]);
    await expectAgreement();
  });
});
