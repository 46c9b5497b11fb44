import { Stack, Text } from '@mantine/core';
import type { RecordOf, Resource } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { EmptyState } from '../../../parts/feedback/empty-state.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { RecordActions } from '../../../parts/record/record-actions.tsx';
import { RecordView } from '../../../parts/record/record-view.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { ResourceTable } from '../../../parts/table/resource-table.tsx';
import { Copyable } from '../../../parts/value/copyable.tsx';
import { StateBadge } from '../../../parts/value/state-badge.tsx';
import { RecordPage } from '../record-page.tsx';
import { useDeliveryColumns } from './delivery-columns.tsx';
import { Replays } from './replays.tsx';
import { StatusButtons } from './status-buttons.tsx';

/** One subscription: its secret, its deliveries, and what can be done with it. */
export function Webhook() {
  const t = useTexts('developers');
  return (
    <RecordPage type="webhook_subscriptions" title={t('webhook')}>
      {(fetched, reload) => {
        const { record } = fetched;
        return (
          <>
            <PageTitle
              title={record.attributes.url}
              aside={<StateBadge state={record.attributes.status} />}
              actions={
                <>
                  <StatusButtons record={record} />
                  <RecordActions type="webhook_subscriptions" fetched={fetched} reload={reload} />
                </>
              }
            />
            <Stack gap="lg">
              <Secret record={record} />
              <SubscriptionDeliveries id={record.id} />
              <Replays id={record.id} />
              <RecordView record={record as Resource} without={['secret_key']} withoutRelations />
            </Stack>
          </>
        );
      }}
    </RecordPage>
  );
}

function Secret({ record }: { readonly record: RecordOf<'webhook_subscriptions'> }) {
  const t = useTexts('developers');
  const { secret_key } = record.attributes;
  if (!secret_key) return null;
  return (
    <Section title={t('webhook_secret')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t('webhook_secret_hint')}</Text>
        <Copyable
          value={secret_key}
          label={`${secret_key.slice(0, SHOWN)}…`}
          what={t('webhook_secret')}
        />
      </Stack>
    </Section>
  );
}

/** Letters of a secret by which people know it again. */
const SHOWN = 10;

function SubscriptionDeliveries({ id }: { readonly id: string }) {
  const t = useTexts('developers');
  const columns = useDeliveryColumns();
  return (
    <Section title={t('deliveries')}>
      <ResourceTable
        type="webhook_deliveries"
        label={t('deliveries')}
        columns={columns}
        fixed={{ 'filter[webhook_subscription]': id, include: 'event' }}
        empty={<EmptyState title={t('deliveries_none')} hint={t('deliveries_none_hint')} />}
        plain
      />
    </Section>
  );
}
