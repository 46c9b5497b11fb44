// Mistakes that the types refuse. Compiled and never run: a wrong line that compiles is an error.
import type { components, paths } from '../dist/florin.d.ts';

type Schemas = components['schemas'];
type Payments = NonNullable<paths['/v2/payment_demands']['get']['parameters']['query']>;

export const misspelt: Schemas['CustomerCreateRequest'] = {
  // @ts-expect-error customers have no attribute e_mail
  data: { type: 'customers', attributes: { email: 'ada@example.com', e_mail: 'ada' } },
};

export const incomplete: Schemas['CustomerCreateRequest'] = {
  // @ts-expect-error a customer must have an e-mail address
  data: { type: 'customers', attributes: { name: 'Ada' } },
};

export const readOnly: Schemas['CustomerUpdateRequest'] = {
  // @ts-expect-error blocked_at is not for clients to set
  data: { type: 'customers', id: '', attributes: { blocked_at: null } },
};

// @ts-expect-error no payment is ever paid
export const unknownState: Payments = { 'filter[status]': ['paid'] };

// @ts-expect-error amounts are compared with numbers
export const notANumber: Payments = { 'filter[amount_cents][gte]': '10' };

export const unknownEvent: Schemas['WebhookSubscriptionUpdateRequest'] = {
  data: {
    type: 'webhook_subscriptions',
    id: '',
    // @ts-expect-error nothing is called so that happens
    attributes: { events: ['transaction.payment_demands.paid'] },
  },
};

export const heldBack: Schemas['PaymentDemandCreateRequest'] = {
  data: {
    type: 'payment_demands',
    // @ts-expect-error a hold is asked for by another word
    attributes: { amount_cents: 2500, amount_currency: 'USD', capture_method: 'later' },
  },
};

export const unknownAnswer = ({ data }: Schemas['CustomerDocument']): unknown =>
  // @ts-expect-error customers have no nickname
  data.attributes?.nickname;
