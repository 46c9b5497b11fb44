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
        'Why: `captured` collects a payment and `fee` is its price; `refund_reserved` sets the amount of a refund aside, `refunded` gives it to the payer, `refund_released` gives it free again. `dispute_opened` holds the amount of a dispute back, `dispute_won` gives it free, `dispute_lost` gives it to the payer. `settled` is what the processor has paid for a payment, `settled_back` what it has kept for a refund or a lost dispute, and `paid_out` what the merchant was paid.',
    },
    debit_account: {
      ...account,
      description:
        'The account that has more by it. `processor` is what the processor owes, `merchant` what is owed to the merchant, `refunds` what refunds under way have reserved, `disputes` what open disputes hold back, `fees` what was paid for payments, `bank` what the processor has paid and the merchant was not paid yet.',
    },
    credit_account: { ...account, description: 'The account that has less by it.' },
    amount_cents: {
      type: 'integer',
      always_set: true,
      opaque: true,
      description: 'Minor units, above 0.',
    },
    amount_currency: { type: 'currency', always_set: true, opaque: true },
    created_at: timestamps.created_at,
  },
  relations: {
    merchant: { to: 'merchants' },
    payment_demand: { to: 'payment_demands' },
  },
});
