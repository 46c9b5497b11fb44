import { defineResource, timestamps } from './define-resource.ts';

export const processorDetails = defineResource({
  type: 'processor_details',
  summary: 'The merchant’s account at a payment processor',
  owner: 'mode',
  few: 500,
  group: 'banking',
  operations: ['list', 'fetch'],
  fields: {
    kind: {
      type: 'enum',
      values: ['nmi', 'edge', 'rs2', 'legacy', 'sandbox'],
      always_set: true,
      description: 'Which processor.',
    },
    onboarding_state: {
      type: 'enum',
      values: ['pending', 'approved'],
      description: 'Whether the processor has taken the merchant on.',
    },
    processing_state: {
      type: 'enum',
      values: ['disabled', 'enabled', 'monitoring'],
      description: 'Whether payments go through it; `monitoring` lets them through and watches.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    merchant_tokens: { to: 'merchant_tokens', many: true, inverse: 'processor_detail' },
  },
});
