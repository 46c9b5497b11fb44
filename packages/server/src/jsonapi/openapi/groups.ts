import type { Resource } from '@florin/contract/resources/define-resource.ts';
import type { Model, Models } from '../model.ts';

type Group = Resource['group'];

/** The groups in the order in which people come to need them, with what they are called. */
const titles: Readonly<Record<Group, string>> = {
  transaction: 'Payments',
  consumer: 'Customers',
  developer: 'Events and connections',
  user: 'Merchants, keys, people',
  banking: 'Onboarding and processors',
  billing: 'Billing',
};

/** Those types of their groups that most are here for; the others follow in the order of the registry. */
const first: readonly string[] = [
  'payment_demands',
  'refund_demands',
  'capture_demands',
  'payment_subscriptions',
  'customers',
  'payment_methods',
  'consumer_addresses',
  'webhook_subscriptions',
  'webhook_deliveries',
  'events',
  'merchants',
  'merchant_tokens',
  'permissions',
  'memberships',
  'accounts',
];

export const groupTitle = ({ resource }: Model): string => titles[resource.group];

/** All types, payments first: by group, and within it by use. */
export const inReadingOrder = ({ all }: Models): Model[] =>
  all.toSorted((one, other) => groupPlace(one) - groupPlace(other) || place(one) - place(other));

const groupPlace = ({ resource }: Model): number => Object.keys(titles).indexOf(resource.group);

const place = ({ type }: Model): number =>
  first.includes(type) ? first.indexOf(type) : first.length;
