import type { Namespaces } from '../i18n/texts.ts';
import type { IconName } from '../parts/value/icon.tsx';

type CommonText = keyof Namespaces['common'];

interface NavigationItem {
  readonly text: CommonText & `nav_${string}`;
  /** Path as in `ScopedLink`: a path of the merchant, or an application path with a leading slash. */
  readonly to: string;
  /** Path of other pages that highlight this item. */
  readonly covers?: string;
  readonly icon: IconName;
  /** Permission that the item needs; otherwise it is hidden. */
  readonly permission?: string;
}

export interface NavigationGroup {
  readonly text?: CommonText & `group_${string}`;
  readonly operator?: true;
  readonly items: readonly NavigationItem[];
}

/** The navigation menu. A page that replaces a generic page must change `to` here. */
export const navigation: readonly NavigationGroup[] = [
  {
    items: [
      { text: 'nav_home', to: '', icon: 'home' },
      {
        text: 'nav_payments',
        to: 'payments',
        icon: 'payments',
        permission: 'transaction.payment_demands.read',
      },
      {
        text: 'nav_customers',
        to: 'records/customers',
        icon: 'customers',
        permission: 'consumer.customers.read',
      },
      {
        text: 'nav_subscriptions',
        to: 'subscriptions',
        icon: 'repeat',
        permission: 'transaction.payment_subscriptions.read',
      },
      {
        text: 'nav_payment_links',
        to: 'payment-links',
        icon: 'link',
        permission: 'transaction.payment_links.read',
      },
      {
        text: 'nav_disputes',
        to: 'disputes',
        icon: 'dispute',
        permission: 'transaction.disputes.read',
      },
      {
        text: 'nav_balance',
        to: 'balance',
        icon: 'balance',
        permission: 'transaction.balances.read',
      },
      {
        text: 'nav_risk',
        to: 'risk',
        icon: 'shield',
        permission: 'transaction.risk_list_entries.read',
      },
    ],
  },
  {
    text: 'group_developers',
    items: [
      {
        text: 'nav_keys',
        to: 'developers/keys',
        icon: 'key',
        permission: 'user.merchant_tokens.read',
      },
      {
        text: 'nav_webhooks',
        to: 'developers/webhooks',
        covers: 'developers/deliveries',
        icon: 'webhook',
        permission: 'developer.webhook_subscriptions.read',
      },
      {
        text: 'nav_events',
        to: 'developers/events',
        icon: 'pulse',
        permission: 'developer.events.read',
      },
      {
        text: 'nav_requests',
        to: 'developers/requests',
        icon: 'audit',
        permission: 'developer.api_requests.read',
      },
      { text: 'nav_sandbox', to: 'developers/sandbox', icon: 'flask' },
      { text: 'nav_records', to: 'records', icon: 'list' },
    ],
  },
  {
    text: 'group_business',
    items: [
      {
        text: 'nav_business',
        to: 'business',
        icon: 'building',
        permission: 'user.merchants.read',
      },
      {
        text: 'nav_alerts',
        to: 'alerts',
        icon: 'bell',
        permission: 'user.account_alerts.read',
      },
      {
        text: 'nav_red_flags',
        to: 'red-flags',
        icon: 'shield',
        permission: 'user.red_flags.read',
      },
      {
        text: 'nav_team',
        to: 'team',
        icon: 'team',
        permission: 'user.memberships.read',
      },
      {
        text: 'nav_audit',
        to: 'audit',
        icon: 'audit',
        permission: 'user.memberships.read',
      },
    ],
  },
  {
    text: 'group_operator',
    operator: true,
    items: [
      { text: 'nav_operator_merchants', to: '/operator/merchants', icon: 'building' },
      { text: 'nav_operator_reviews', to: '/operator/reviews', icon: 'audit' },
      { text: 'nav_operator_processors', to: '/operator/processors', icon: 'payments' },
      { text: 'nav_operator_routing', to: '/operator/routing', icon: 'route' },
      {
        text: 'nav_operator_notifications',
        to: '/operator/notifications',
        icon: 'webhook',
      },
      { text: 'nav_operator_unknown', to: '/operator/unknown', icon: 'question' },
      { text: 'nav_operator_reports', to: '/operator/reports', icon: 'list' },
      { text: 'nav_operator_disputes', to: '/operator/disputes', icon: 'dispute' },
      { text: 'nav_operator_exceptions', to: '/operator/exceptions', icon: 'balance' },
      { text: 'nav_operator_health', to: '/operator/health', icon: 'pulse' },
    ],
  },
];
