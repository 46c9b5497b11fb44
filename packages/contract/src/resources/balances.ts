import { defineResource, timestamps } from './define-resource.ts';

/** Larger than the number of currencies. */
const CURRENCIES_MAX = 200;

const amountField = (description: string) =>
  ({ type: 'integer', always_set: true, opaque: true, description }) as const;

export const balances = defineResource({
  type: 'balances',
  summary: 'The balance of a merchant in one currency',
  owner: 'mode',
  few: CURRENCIES_MAX,
  group: 'transaction',
  operations: ['list', 'fetch'],
  fields: {
    amount_currency: { type: 'currency', always_set: true },
    owed_cents: amountField(
      'Minor units that are owed to the merchant: payments less fees, refunds, disputes and payouts. Negative if the merchant owes.',
    ),
    unsettled_cents: amountField('Minor units of payments that the processor has not settled yet.'),
    available_cents: amountField(
      'Minor units available for payout: `owed_cents` less `unsettled_cents`. Fees, refunds and disputes count at once, payments after settlement, so the amount can be negative.',
    ),
    reserved_cents: amountField('Minor units that refunds in progress reserve.'),
    disputed_cents: amountField('Minor units that open disputes block.'),
    captured_cents: amountField('Total captured payments, in minor units.'),
    settled_cents: amountField('Minor units of captured payments that the processor has settled.'),
    fees_cents: amountField('Total fees, in minor units.'),
    refunded_cents: amountField('Total succeeded refunds, in minor units.'),
    lost_cents: amountField('Total lost disputes and second chargebacks, in minor units.'),
    paid_out_cents: amountField('Total payouts, in minor units.'),
    as_of: {
      type: 'timestamp',
      column: 'updated_at',
      opaque: true,
      description:
        'Time of the last change. A balance includes a ledger transfer within two seconds of its commit.',
    },
    ...timestamps,
  },
  relations: { merchant: { to: 'merchants' } },
});
