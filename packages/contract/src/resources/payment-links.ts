import { statesOf } from '../machines/define-machine.ts';
import { paymentLinkMachine } from '../machines/payment-link.ts';
import { defineResource, timestamps } from './define-resource.ts';
import { billingPeriods } from './payment-subscriptions.ts';
import { purchaseFields } from './purchase.ts';

/** Maximum number of uses of a link. */
const LINK_USES_MAX = 1_000_000;

export const paymentLinks = defineResource({
  type: 'payment_links',
  summary: 'A page of its own on which anybody can pay a price',
  owner: 'mode',
  group: 'transaction',
  operations: ['list', 'fetch', 'create', 'update'],
  actions: {
    expire: {
      summary: 'Take no more payments over the link',
      description:
        'For good, at once. A payment that somebody began within the last half hour may still be completed.',
    },
  },
  fields: {
    status: {
      type: 'enum',
      values: statesOf(paymentLinkMachine),
      always_set: true,
      description:
        '`active` takes payments, `used_up` has been paid `uses_max` times, `expired` is over.',
    },
    title: {
      type: 'string',
      create: 'required',
      update: true,
      max: 200,
      opaque: true,
      description: 'What is sold; the heading of the page.',
    },
    description: { ...purchaseFields.description, opaque: true },
    amount_cents: { ...purchaseFields.amount_cents, opaque: true },
    amount_currency: {
      type: 'currency',
      create: 'required',
      opaque: true,
      description: 'One of the `accepted_currencies` of the merchant.',
    },
    billing_period: {
      type: 'enum',
      values: billingPeriods,
      create: 'optional',
      description:
        'With it a payment begins a subscription, which is charged the amount for each such period. Null: one payment.',
    },
    line_items: {
      ...purchaseFields.line_items,
      description:
        'What is bought, line by line; one line of the title and the amount where it is not set. An update replaces the whole list.',
    },
    purchase_reference: {
      type: 'string',
      create: 'optional',
      update: true,
      max: 200,
      opaque: true,
      default: 'link',
      description: 'What the `purchase_reference` of each payment begins with.',
    },
    email_receipt: {
      type: 'boolean',
      create: 'optional',
      update: true,
      default: true,
      opaque: true,
      description: 'Whether who pays gets a receipt by mail.',
    },
    success_url: {
      type: 'url',
      create: 'optional',
      update: true,
      max: 2000,
      opaque: true,
      description:
        'Where who has paid goes on, with the id as `payment_demand` or `payment_subscription` in the query; https, or in the sandbox your own machine. Null: the page says that it is paid. It is a hint: an event tells for certain.',
    },
    expires_at: {
      type: 'timestamp',
      create: 'optional',
      update: true,
      opaque: true,
      description:
        'When no more payments begin; one that has begun may be completed for half an hour. Null: never.',
    },
    uses_max: {
      type: 'integer',
      create: 'optional',
      update: true,
      min: 1,
      max: LINK_USES_MAX,
      opaque: true,
      description:
        'How often it can be paid; null: any number. A payment under way has its use until it fails.',
    },
    uses_count: {
      type: 'integer',
      default: 0,
      opaque: true,
      description: 'How often it was paid: payments that succeeded, or subscriptions that began.',
    },
    url: {
      type: 'url',
      always_set: true,
      opaque: true,
      description: 'The page, to be shared. Nobody can guess it.',
    },
    qr_svg_url: {
      type: 'url',
      always_set: true,
      opaque: true,
      description: 'The address of the page as a QR code, an SVG image.',
    },
    ended_at: {
      type: 'timestamp',
      opaque: true,
      description: 'When it was used up or expired; null while it is active.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    payment_demands: { to: 'payment_demands', many: true, inverse: 'payment_link' },
    payment_subscriptions: { to: 'payment_subscriptions', many: true, inverse: 'payment_link' },
  },
});
