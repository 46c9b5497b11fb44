import { defineResource, timestamps } from './define-resource.ts';

export const processorDetails = defineResource({
  type: 'processor_details',
  summary: 'How a merchant is known to a payment processor',
  owner: 'mode',
  few: true,
  group: 'banking',
  operations: ['list', 'fetch'],
  fields: {
    kind: { type: 'enum', values: ['nmi', 'edge', 'rs2', 'legacy', 'sandbox'] },
    onboarding_state: { type: 'enum', values: ['pending', 'approved'] },
    processing_state: { type: 'enum', values: ['disabled', 'enabled', 'monitoring'] },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    merchant_tokens: { to: 'merchant_tokens', many: true, inverse: 'processor_detail' },
  },
});
