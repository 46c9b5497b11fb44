import type { CurrentScope } from '../api/scope.ts';
import type { Namespaces } from '../i18n/texts.ts';
import { hasHome } from '../pages/home/parts.ts';
import type { IconName } from '../parts/value/icon.tsx';

type CommonText = keyof Namespaces['common'];

/** A page of the menu, or a tab above the pages of an entry. */
export interface NavigationTab {
  readonly text: CommonText & `nav_${string}`;
  /** Path as in `ScopedLink`: a path of the merchant, or an application path with a leading slash. */
  readonly to: string;
  /** Paths of other pages that highlight this one. */
  readonly covers?: readonly string[];
  /** Permission that the page needs; otherwise it is hidden. */
  readonly permission?: string;
  /** Whether the page has a part for the person, where several permissions count. */
  readonly isAllowed?: (scope: CurrentScope) => boolean;
}

export interface NavigationItem extends NavigationTab {
  /** No two entries have the same icon. */
  readonly icon: IconName;
  /** Tabs above the entry's pages. The entry leads to the first one that the person may see. */
  readonly tabs?: readonly NavigationTab[];
}

export interface NavigationGroup {
  readonly text?: CommonText & `group_${string}`;
  readonly items: readonly NavigationItem[];
}

const developerTabs: readonly NavigationTab[] = [
  {
    text: 'nav_keys',
    to: 'developers/keys',
    covers: ['developers/snippet'],
    permission: 'user.merchant_tokens.read',
  },
  {
    text: 'nav_webhooks',
    to: 'developers/webhooks',
    covers: ['developers/deliveries'],
    permission: 'developer.webhook_subscriptions.read',
  },
  { text: 'nav_events', to: 'developers/events', permission: 'developer.events.read' },
  { text: 'nav_requests', to: 'developers/requests', permission: 'developer.api_requests.read' },
  { text: 'nav_sandbox', to: 'developers/sandbox', covers: ['developers/emails'] },
  { text: 'nav_records', to: 'records' },
];

/** The menu of a merchant. A page that replaces a generic page must change `to` here. */
export const navigation: readonly NavigationGroup[] = [
  {
    items: [
      { text: 'nav_home', to: '', icon: 'home', isAllowed: hasHome },
      {
        text: 'nav_payments',
        to: 'payments',
        covers: ['records/refund_demands', 'records/capture_demands'],
        icon: 'payments',
        permission: 'transaction.payment_demands.read',
      },
      {
        text: 'nav_customers',
        to: 'records/customers',
        covers: ['records/payment_methods', 'records/consumer_addresses'],
        icon: 'customers',
        permission: 'consumer.customers.read',
      },
      {
        text: 'nav_subscriptions',
        to: 'subscriptions',
        covers: ['records/subscription_changes', 'records/subscription_periods'],
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
        covers: ['records/payouts', 'records/settlement_exceptions', 'records/ledger_transfers'],
        icon: 'balance',
        permission: 'transaction.balances.read',
      },
      {
        text: 'nav_risk',
        to: 'risk',
        covers: ['records/risk_list_entries', 'records/velocity_limits'],
        icon: 'shield',
        permission: 'transaction.risk_list_entries.read',
      },
    ],
  },
  {
    text: 'group_business',
    items: [
      {
        text: 'nav_business',
        to: 'business',
        covers: ['setup'],
        icon: 'building',
        permission: 'user.merchants.read',
      },
      {
        text: 'nav_alerts',
        to: 'alerts',
        icon: 'bell',
        tabs: [
          {
            text: 'nav_alerts',
            to: 'alerts',
            covers: ['records/account_alerts'],
            permission: 'user.account_alerts.read',
          },
          {
            text: 'nav_red_flags',
            to: 'red-flags',
            covers: ['records/red_flags', 'records/merchant_punitive_actions'],
            permission: 'user.red_flags.read',
          },
        ],
      },
      { text: 'nav_team', to: 'team', icon: 'team', permission: 'user.memberships.read' },
      { text: 'nav_audit', to: 'audit', icon: 'audit', permission: 'user.memberships.read' },
      { text: 'nav_developers', to: 'developers/keys', icon: 'code', tabs: developerTabs },
    ],
  },
];

/** First page of the operator's console. */
export const CONSOLE_START = '/operator/merchants';

/** The menu of the operator's console. */
export const consoleNavigation: readonly NavigationGroup[] = [
  {
    text: 'group_operator',
    items: [
      { text: 'nav_operator_merchants', to: CONSOLE_START, icon: 'store' },
      { text: 'nav_operator_reviews', to: '/operator/reviews', icon: 'checklist' },
      { text: 'nav_operator_processors', to: '/operator/processors', icon: 'server' },
      { text: 'nav_operator_routing', to: '/operator/routing', icon: 'route' },
      { text: 'nav_operator_notifications', to: '/operator/notifications', icon: 'inbox' },
      { text: 'nav_operator_unknown', to: '/operator/unknown', icon: 'question' },
      { text: 'nav_operator_reports', to: '/operator/reports', icon: 'list' },
      { text: 'nav_operator_disputes', to: '/operator/disputes', icon: 'flag' },
      { text: 'nav_operator_exceptions', to: '/operator/exceptions', icon: 'unequal' },
      { text: 'nav_operator_health', to: '/operator/health', icon: 'pulse' },
    ],
  },
];

/** Whether a path is of the operator's console. */
export const isInConsole = (path: string): boolean => path.startsWith('/operator/');
