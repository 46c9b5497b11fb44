import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Parameters, pageQuery } from '../../api/queries.ts';
import { holds, useScope } from '../../api/scope.ts';
import type { ResourceType } from '../../api/types.ts';
import type { Namespaces } from '../../i18n/texts.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../../parts/page/links.tsx';
import { listPath } from '../../parts/page/record-path.ts';
import { Section } from '../../parts/record/section.tsx';

interface AttentionItem {
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

/** Lists the merchant's open tasks, with counts. */
export function Attention() {
  const t = useTexts('home');
  const scope = useScope();
  const visible = items.filter(({ permission }) => holds(scope, permission));
  return (
    <Section title={t('attention')}>
      <List listStyleType="none">
        {visible.map((item) => (
          <AttentionLine key={item.text} item={item} />
        ))}
      </List>
    </Section>
  );
}

/** Counting limit: a larger number would not change the next step. */
const COUNTED_MAX = 50;

function AttentionLine({ item: { type, filters, text, to } }: { readonly item: AttentionItem }) {
  const t = useTexts('home');
  const parameters = { ...filters, 'page[size]': String(COUNTED_MAX) };
  const { data } = useQuery(pageQuery(useScope(), type, parameters));
  const count = data?.data.length;
  if (count === undefined) return null;
  const none: `${AttentionItem['text']}_none` & keyof Namespaces['home'] = `${text}_none`;
  return (
    <List.Item py={4}>
      {count === 0 ? (
        <Text c="dimmed">{t(none)}</Text>
      ) : (
        <ScopedLink to={to ?? listPath(type)} search={to ? {} : filters}>
          {t.count(text, count)}
        </ScopedLink>
      )}
    </List.Item>
  );
}
