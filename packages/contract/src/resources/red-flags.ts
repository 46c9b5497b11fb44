import { defineResource, timestamps } from './define-resource.ts';

export const redFlags = defineResource({
  type: 'red_flags',
  summary: 'An official notice against a merchant',
  owner: 'mode',
  few: true,
  group: 'user',
  operations: ['list', 'fetch'],
  fields: {
    comment: { type: 'string' },
    external_metadata: { type: 'object', opaque: true },
    source: { type: 'enum', values: ['edge', 'legit_script'] },
    status: { type: 'enum', values: ['active', 'penalized', 'cleared', 'warned'] },
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
    },
    ...timestamps,
  },
  relations: { merchant: { to: 'merchants' } },
});
