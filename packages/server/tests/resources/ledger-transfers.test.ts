import { describe, expect, it } from 'vitest';
import {
  findLedgerDifferences,
  findPaymentDifferences,
} from '../../src/features/ledger/sql/ledger-check.ts';
import { openDatabase } from '../../src/platform/database/db.ts';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import {
  makeAuthorisedPayment,
  makeCapture,
  makeCapturedPayment,
  makeRefund,
  waitForOutcome,
} from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const api = useApi();
const type = 'ledger_transfers';

/** Transfers of a payment, oldest first: kind, debit, credit, minor units. */
async function transfersOf({ id }: ResourceObject): Promise<unknown[][]> {
  const { body } = await api.client.get(
    `/v2/${type}?filter[payment_demand]=${id}&sort=created_at,kind`,
  );
  return body.data.map(({ attributes }: ResourceObject) => [
    attributes.kind,
    attributes.debit_account,
    attributes.credit_account,
    attributes.amount_cents,
  ]);
}

describe('a transfer of the ledger', () => {
  describeReads(api, type, async () => {
    const payment = await makeCapturedPayment(api.client);
    const { body } = await api.client.get(`/v2/${type}?filter[payment_demand]=${payment.id}`);
    return body.data[0];
  });
  describeRefusedMethods(api, type);

  it('exists for a payment, its fee, and each step of a refund', async () => {
    const payment = await makeCapturedPayment(api.client, { amount_cents: 2500 });
    expect(await transfersOf(payment)).toEqual([
      ['captured', 'processor', 'merchant', 2500],
      ['fee', 'merchant', 'fees', 105],
    ]);
    const refund = await makeRefund(api.client, payment, { amount_cents: 700 });
    await waitForOutcome(api.client, refund.id, 'refund_demands');
    expect((await transfersOf(payment)).slice(2)).toEqual([
      ['refund_reserved', 'merchant', 'refunds', 700],
      ['refunded', 'refunds', 'processor', 700],
    ]);
  });

  it('of a failed refund releases its amount', async () => {
    const payment = await makeCapturedPayment(api.client, { amount_cents: 40_000 });
    const refund = await makeRefund(api.client, payment, { amount_cents: 9_705 });
    await waitForOutcome(api.client, refund.id, 'refund_demands');
    expect((await transfersOf(payment)).slice(2)).toEqual([
      ['refund_reserved', 'merchant', 'refunds', 9_705],
      ['refund_released', 'refunds', 'merchant', 9_705],
    ]);
  });

  it('of a hold exists once it is captured, for the captured amount', async () => {
    const payment = await makeAuthorisedPayment(api.client, { amount_cents: 2500 });
    expect(await transfersOf(payment)).toEqual([]);
    const { id } = await makeCapture(api.client, payment, { amount_cents: 1000 });
    await waitForOutcome(api.client, id, 'capture_demands');
    expect(await transfersOf(payment)).toEqual([
      ['captured', 'processor', 'merchant', 1000],
      ['fee', 'merchant', 'fees', 45],
    ]);
  });

  it('of several captures exists for each, with its part of the fee', async () => {
    const payment = await makeAuthorisedPayment(api.client, { amount_cents: 2500 });
    for (const attributes of [{ amount_cents: 1000, final: false }, { amount_cents: 500 }]) {
      const { id } = await makeCapture(api.client, payment, attributes);
      await waitForOutcome(api.client, id, 'capture_demands');
    }
    expect(await transfersOf(payment)).toEqual([
      ['captured', 'processor', 'merchant', 1000],
      ['fee', 'merchant', 'fees', 45],
      ['captured', 'processor', 'merchant', 500],
      ['fee', 'merchant', 'fees', 20],
    ]);
  });

  it('agrees with the records, never changes, and is reported if it is missing', async () => {
    await using db = openDatabase({ url: api.stack.databaseUrl, connections_max: 1 });
    expect([await findLedgerDifferences(db), await findPaymentDifferences(db)]).toEqual([[], []]);
    for (const change of [
      'update ledger_transfers set amount_cents = 1',
      'delete from ledger_transfers',
      'truncate ledger_transfers',
    ]) {
      await expect(db.query(change, [])).rejects.toThrow(/never changed/);
    }
    const held = await makeAuthorisedPayment(api.client, { amount_cents: 2500 });
    const part = await makeCapture(api.client, held, { amount_cents: 1000, final: false });
    await waitForOutcome(api.client, part.id, 'capture_demands');
    await db.query('update payment_demands set amount_captured_cents = 1001 where id = $1', [
      held.id,
    ]);
    expect(await findPaymentDifferences(db)).toMatchObject([
      { id: held.id, amount_captured_cents: '1001', captured: '1000' },
    ]);
    await db.query('update payment_demands set amount_captured_cents = 1000 where id = $1', [
      held.id,
    ]);
    const payment = await makeCapturedPayment(api.client);
    await db.query('alter table ledger_transfers disable trigger user', []);
    await db.query(`delete from ledger_transfers where kind = 'fee' and source_id = $1`, [
      payment.id,
    ]);
    await db.query('alter table ledger_transfers enable trigger user', []);
    expect(await findLedgerDifferences(db)).toMatchObject([
      { kind: 'fee', source_id: payment.id, expected_cents: '105', found_cents: null },
    ]);
  });
});
