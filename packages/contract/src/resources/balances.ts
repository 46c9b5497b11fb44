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
      'Minor units that are owed to the merchant: payments less fees, refunds, disputes and payouts. Below 0 where the merchant owes.',
    ),
    unsettled_cents: amountField('Minor units of payments that the processor has not paid yet.'),
    available_cents: amountField(
      'Minor units that can be paid out: `owed_cents` less `unsettled_cents`. Fees, refunds and disputes count at once, so it can be below 0; payments count when they are settled.',
    ),
    reserved_cents: amountField('Minor units that refunds under way have reserved.'),
    disputed_cents: amountField('Minor units that open disputes hold back.'),
    fees_cents: amountField('Minor units that were paid in fees, all together.'),
    paid_out_cents: amountField('Minor units that were paid out, all together.'),
    as_of: {
      type: 'timestamp',
      column: 'updated_at',
      opaque: true,
      description:
        'When something last changed it. It has each transfer of the ledger within a second or two of its commit.',
    },
    ...timestamps,
  },
  relations: { merchant: { to: 'merchants' } },
});
