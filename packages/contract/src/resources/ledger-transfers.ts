import { ledgerAccounts, transferKinds } from '../ledger.ts';
import { defineResource, timestamps } from './define-resource.ts';

const account = { type: 'enum', values: ledgerAccounts, always_set: true, opaque: true } as const;

export const ledgerTransfers = defineResource({
  type: 'ledger_transfers',
  summary: 'A transfer between two accounts of the merchant’s ledger',
  owner: 'mode',
  group: 'transaction',
  operations: ['list', 'fetch'],
  fields: {
    kind: {
      type: 'enum',
      values: Object.keys(transferKinds),
      always_set: true,
      description:
        'Reason of the transfer. `captured` and `fee` belong to a payment; `refund_reserved`, `refunded` and `refund_released` to a refund; `dispute_opened`, `dispute_won`, `dispute_lost` and `second_chargeback` to a dispute. `settled`, `settled_back` and `settled_again` are settlements of the processor, as are `second_settled_back` and `second_settled_again` of a second chargeback. `paid_out` is a payout.',
    },
    debit_account: {
      ...account,
      description:
        'Debited account. `processor` is owed by the processor, `merchant` is owed to the merchant. `refunds` and `disputes` are reserved amounts, `fees` are fees, `bank` is money that the processor has paid and the merchant has not received.',
    },
    credit_account: { ...account, description: 'Credited account.' },
    amount_cents: {
      type: 'integer',
      always_set: true,
      opaque: true,
      description: 'Amount in minor units, above 0.',
    },
    amount_currency: { type: 'currency', always_set: true, opaque: true },
    created_at: timestamps.created_at,
  },
  relations: {
    merchant: { to: 'merchants' },
    payment_demand: { to: 'payment_demands', unchecked: true },
  },
});
