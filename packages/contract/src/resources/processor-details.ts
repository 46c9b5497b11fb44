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
      values: [
        'nmi',
        'edge',
        'rs2',
        'legacy',
        'sandbox',
        'adyen',
        'checkout_com',
        'worldpay_cnp',
        'other',
      ],
      always_set: true,
      description:
        'Name of the processor; `sandbox` is the simulated network, `other` a processor without a name here.',
    },
    onboarding_state: {
      type: 'enum',
      values: ['pending', 'approved'],
      description: 'State of the merchant’s onboarding at the processor.',
    },
    processing_state: {
      type: 'enum',
      values: ['disabled', 'enabled', 'monitoring'],
      description:
        'Whether it takes new payments: `disabled` while the operator pauses it. `monitoring` takes them and watches.',
    },
    several_captures: {
      type: 'boolean',
      opaque: true,
      description:
        'Whether it takes several captures of one authorisation, so that a capture may have `final: false`. Null without an account at a processor: the simulated network takes several.',
    },
    removed_at: {
      type: 'timestamp',
      opaque: true,
      description:
        'Time at which the operator removed the account; null until then. Its payments cannot be refunded any more.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    merchant_tokens: { to: 'merchant_tokens', many: true, inverse: 'processor_detail' },
  },
});
