import type { Parameters } from '../../api/queries.ts';
import { type CurrentScope, holds } from '../../api/scope.ts';
import type { ResourceType } from '../../api/types.ts';

export interface AttentionItem {
  readonly type: ResourceType;
  readonly filters: Parameters;
  readonly permission: string;
  /** Path of the page with the records, if it is not the list of their type. */
  readonly to?: string;
  readonly text: 'disputes_open' | 'subscriptions_past_due' | 'alerts_pending' | 'webhooks_paused';
}

const items: readonly AttentionItem[] = [
  {
    type: 'disputes',
    filters: { 'filter[status]': 'needs_response' },
    permission: 'transaction.disputes.read',
    text: 'disputes_open',
  },
  {
    type: 'payment_subscriptions',
    filters: { 'filter[past_due_since][null]': 'false' },
    permission: 'transaction.payment_subscriptions.read',
    text: 'subscriptions_past_due',
  },
  {
    type: 'account_alerts',
    to: 'alerts',
    filters: { 'filter[status]': 'pending' },
    permission: 'user.account_alerts.read',
    text: 'alerts_pending',
  },
  {
    type: 'webhook_subscriptions',
    filters: { 'filter[status]': 'paused' },
    permission: 'developer.webhook_subscriptions.read',
    text: 'webhooks_paused',
  },
];

/** Permissions that the figures of a period need, all of them. */
const FIGURES = ['transaction.payment_demands.read', 'transaction.refund_demands.read'];

/** Whether the person may read the figures of a period. */
export const hasFigures = (scope: CurrentScope): boolean =>
  FIGURES.every((permission) => holds(scope, permission));

/** Returns the kinds of open tasks that the person may read. */
export const attentionItems = (scope: CurrentScope): readonly AttentionItem[] =>
  items.filter(({ permission }) => holds(scope, permission));

/** Whether the person has first steps of the merchant to see. */
export const hasFirstSteps = (scope: CurrentScope): boolean =>
  !scope.is_visit && holds(scope, 'user.merchants.read');

/** Whether the start page has a part for the person. */
export const hasHome = (scope: CurrentScope): boolean =>
  hasFigures(scope) || attentionItems(scope).length > 0;
