import { statesOf } from '../machines/define-machine.ts';
import { redFlagMachine } from '../machines/red-flag.ts';
import { defineResource, timestamps } from './define-resource.ts';

export const redFlags = defineResource({
  type: 'red_flags',
  summary: 'A concern that the operator raised about a merchant',
  owner: 'mode',
  few: 500,
  group: 'user',
  operations: ['list', 'fetch'],
  fields: {
    comment: { type: 'string', description: 'Comment of the operator.' },
    external_metadata: {
      type: 'object',
      opaque: true,
      description: 'Details of the source, as received.',
    },
    source: { type: 'enum', values: ['edge', 'legit_script'], description: 'Source of the flag.' },
    status: {
      type: 'enum',
      values: statesOf(redFlagMachine),
      description: 'State of the flag.',
    },
    violation: {
      type: 'enum',
      values: [
        'email_concerns',
        'multiple_merchants_for_email',
        'low_risk',
        'moderate_risk',
        'high_risk',
        'bram',
        'gbpp',
        'terms',
        'offline_or_parked',
        'rogue',
        'transaction_laundering_suspected',
        'transaction_laundering_confirmed',
      ],
      description: 'Kind of the violation.',
    },
    ...timestamps,
  },
  relations: { merchant: { to: 'merchants' } },
});
