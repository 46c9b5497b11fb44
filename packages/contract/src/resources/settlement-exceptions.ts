import { settlementDifferences, settlementEntries } from '../ledger.ts';
import { statesOf } from '../machines/define-machine.ts';
import { settlementExceptionMachine } from '../machines/settlement-exception.ts';
import { defineResource, timestamps } from './define-resource.ts';

const centsField = (description: string) =>
  ({ type: 'integer', opaque: true, description }) as const;

export const settlementExceptions = defineResource({
  type: 'settlement_exceptions',
  summary: 'A difference between the settlement of a processor and the ledger',
  owner: 'mode',
  group: 'transaction',
  operations: ['list', 'fetch', 'update'],
  events: { scope: 'transaction.settlement_exceptions', slugs: ['created', 'resolved'] },
  fields: {
    status: {
      type: 'enum',
      values: statesOf(settlementExceptionMachine),
      update: true,
      always_set: true,
      description:
        'Set `resolved` with a `resolution_note` after you find the cause. A resolved exception does not change. No money moves.',
    },
    resolution_note: {
      type: 'string',
      update: true,
      max: 2000,
      opaque: true,
      description: 'The cause and the action taken. Required to resolve the exception.',
    },
    resolved_at: {
      type: 'timestamp',
      opaque: true,
      description: 'Time of resolution; null until then.',
    },
    kind: {
      type: 'enum',
      values: settlementDifferences,
      always_set: true,
      description:
        '`missing_in_file`: the processor did not settle an expected amount. `missing_here`: the ledger does not know the amount. `amount_differs` and `currency_differs`: values differ. `duplicate`: it was settled before. `reversed`: the processor took back an earlier capture or refund. `outcome_unknown`: it settled a payment whose outcome is unknown here. None of these is settled in the ledger.',
    },
    entry: {
      type: 'enum',
      values: settlementEntries,
      always_set: true,
      opaque: true,
      description: 'Kind of the entry. A `dispute` was lost or charged back.',
    },
    settled_on: {
      type: 'date',
      always_set: true,
      description:
        'Day (UTC) of the settlement file, or on which Florin read the settlement report.',
    },
    processor_reference: {
      type: 'string',
      max: 100,
      always_set: true,
      opaque: true,
      description: 'Reference of the entry at the processor.',
    },
    expected_cents: centsField('Minor units in the ledger; null if it has no entry.'),
    found_cents: centsField('Minor units in the file; null if it has no entry.'),
    amount_currency: {
      type: 'currency',
      always_set: true,
      opaque: true,
      description: 'Currency of the file, or of the ledger if the file lacks the entry.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    payment_demand: { to: 'payment_demands' },
  },
});
