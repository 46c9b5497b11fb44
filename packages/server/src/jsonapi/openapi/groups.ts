import type { Resource } from '@florin/contract/resources/define-resource.ts';
import type { Model, Models } from '../model.ts';

type Group = Resource['group'];

/** Titles of the groups, in the order that integrators need. */
const titles: Readonly<Record<Group, string>> = {
  transaction: 'Payments',
  consumer: 'Customers',
  developer: 'Events and connections',
  user: 'Merchants, keys, people',
  banking: 'Onboarding and processors',
  billing: 'Billing',
};

/** Most used types of each group. Other types follow in the order of the registry. */
const leadingTypes: readonly string[] = [
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

/** All types in reading order: by group, then by use. */
export const inReadingOrder = ({ all }: Models): Model[] =>
  all.toSorted(
    (one, other) =>
      groupPosition(one) - groupPosition(other) || positionInGroup(one) - positionInGroup(other),
  );

const groupPosition = ({ resource }: Model): number => Object.keys(titles).indexOf(resource.group);

const positionInGroup = ({ type }: Model): number =>
  leadingTypes.includes(type) ? leadingTypes.indexOf(type) : leadingTypes.length;
