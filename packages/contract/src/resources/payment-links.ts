import { statesOf } from '../machines/define-machine.ts';
import { paymentLinkMachine } from '../machines/payment-link.ts';
import { defineResource, timestamps } from './define-resource.ts';
import { billingPeriods } from './payment-subscriptions.ts';
import { purchaseFields } from './purchase.ts';

/** Maximum number of uses of a link. */
const LINK_USES_MAX = 1_000_000;

export const paymentLinks = defineResource({
  type: 'payment_links',
  summary: 'A page where anyone can pay a price',
  owner: 'mode',
  group: 'transaction',
  operations: ['list', 'fetch', 'create', 'update'],
  actions: {
    expire: {
      summary: 'Expire the payment link',
      description:
        'Takes effect immediately. You cannot undo this. A payment that started in the last 30 minutes can still complete.',
    },
  },
  fields: {
    status: {
      type: 'enum',
      values: statesOf(paymentLinkMachine),
      always_set: true,
      description:
        '`active` accepts payments, `used_up` was paid `uses_max` times, `expired` has ended.',
    },
    title: {
      type: 'string',
      create: 'required',
      update: true,
      max: 200,
      opaque: true,
      description: 'Title of the page: the sold product.',
    },
    description: { ...purchaseFields.description, opaque: true },
    amount_cents: { ...purchaseFields.amount_cents, opaque: true },
    amount_currency: {
      type: 'currency',
      create: 'required',
      opaque: true,
      description: 'One of the merchant’s `accepted_currencies`.',
    },
    billing_period: {
      type: 'enum',
      values: billingPeriods,
      create: 'optional',
      description:
        'Period of a subscription that the payment starts. Each period charges the amount. Null: a single payment.',
    },
    line_items: {
      ...purchaseFields.line_items,
      description:
        'Line items. Default: one line with the title and the amount. An update replaces the whole list.',
    },
    purchase_reference: {
      type: 'string',
      create: 'optional',
      update: true,
      max: 200,
      opaque: true,
      default: 'link',
      description: 'Start of the `purchase_reference` of each payment.',
    },
    email_receipt: {
      type: 'boolean',
      create: 'optional',
      update: true,
      default: true,
      opaque: true,
      description: 'Whether the payer gets a receipt by email.',
    },
    success_url: {
      type: 'url',
      create: 'optional',
      update: true,
      max: 2000,
      opaque: true,
      description:
        'URL after the payment, with the id as `payment_demand` or `payment_subscription` in the query. Use https, or your own machine in the sandbox. Null: the page shows the result. Trust the event for the outcome.',
    },
    expires_at: {
      type: 'timestamp',
      create: 'optional',
      update: true,
      opaque: true,
      description:
        'No payment starts after this time. A started payment can complete for 30 minutes. Null: never.',
    },
    uses_max: {
      type: 'integer',
      create: 'optional',
      update: true,
      min: 1,
      max: LINK_USES_MAX,
      opaque: true,
      description:
        'Maximum number of payments. Null: unlimited. A pending payment counts until it fails.',
    },
    uses_count: {
      type: 'integer',
      default: 0,
      opaque: true,
      description: 'Number of succeeded payments or started subscriptions.',
    },
    url: {
      type: 'url',
      always_set: true,
      opaque: true,
      description: 'Address of the page to share, which cannot be guessed.',
    },
    qr_svg_url: {
      type: 'url',
      always_set: true,
      opaque: true,
      description: 'QR code of the address, as an SVG image.',
    },
    ended_at: {
      type: 'timestamp',
      opaque: true,
      description: 'Time at which it was used up or expired; null while active.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    customer: {
      to: 'customers',
      create: 'optional',
      description:
        'Customer who pays. The page then asks for no name and email address, but for the card immediately. Null: everyone with the link can pay, and enters both.',
    },
    payment_demands: { to: 'payment_demands', many: true, inverse: 'payment_link' },
    payment_subscriptions: { to: 'payment_subscriptions', many: true, inverse: 'payment_link' },
  },
});
