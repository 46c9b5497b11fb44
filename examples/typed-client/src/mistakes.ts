// Mistakes that the types refuse. Compiled and never run: a wrong line that compiles is an error.
import type { components, paths } from '../dist/florin.d.ts';

type Schemas = components['schemas'];
type Payments = NonNullable<paths['/v2/payment_demands']['get']['parameters']['query']>;

export const misspelt: Schemas['CustomerCreateRequest'] = {
  // @ts-expect-error `e_mail` is not an attribute of customers
  data: { type: 'customers', attributes: { email: 'ada@example.com', e_mail: 'ada' } },
};

export const incomplete: Schemas['CustomerCreateRequest'] = {
  // @ts-expect-error `email` is required
  data: { type: 'customers', attributes: { name: 'Ada' } },
};

export const readOnly: Schemas['CustomerUpdateRequest'] = {
  // @ts-expect-error `blocked_at` is read-only
  data: { type: 'customers', id: '', attributes: { blocked_at: null } },
};

// @ts-expect-error `paid` is not a status of payments
export const unknownState: Payments = { 'filter[status]': ['paid'] };

// @ts-expect-error `amount_cents` must be a number
export const notANumber: Payments = { 'filter[amount_cents][gte]': '10' };

export const unknownEvent: Schemas['WebhookSubscriptionUpdateRequest'] = {
  data: {
    type: 'webhook_subscriptions',
    id: '',
    // @ts-expect-error `transaction.payment_demands.paid` is not an event
    attributes: { events: ['transaction.payment_demands.paid'] },
  },
};

export const heldBack: Schemas['PaymentDemandCreateRequest'] = {
  data: {
    type: 'payment_demands',
    // @ts-expect-error `later` is not a `capture_method`
    attributes: { amount_cents: 2500, amount_currency: 'USD', capture_method: 'later' },
  },
};

export const unknownAnswer = ({ data }: Schemas['CustomerDocument']): unknown =>
  // @ts-expect-error `nickname` is not an attribute of customers
  data.attributes?.nickname;
