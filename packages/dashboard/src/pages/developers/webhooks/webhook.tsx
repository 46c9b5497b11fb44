import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { pageQuery } from '../../../api/queries.ts';
import { useScope } from '../../../api/scope.ts';
import type { RecordOf, Resource } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { useAutoRefresh } from '../../../parts/page/use-auto-refresh.ts';
import { RecordActions } from '../../../parts/record/record-actions.tsx';
import { RecordPage } from '../../../parts/record/record-page.tsx';
import { RecordView } from '../../../parts/record/record-view.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { Copyable } from '../../../parts/value/copyable.tsx';
import { StateBadge } from '../../../parts/value/state-badge.tsx';
import { DeliveriesOf } from './deliveries-of.tsx';
import { Replays } from './replays.tsx';
import { StatusButtons } from './status-buttons.tsx';
import { useTestResult } from './test-result.ts';

/** A subscription with its secret, deliveries and actions. */
export function Webhook() {
  const t = useTexts('developers');
  return (
    <RecordPage type="webhook_subscriptions" title={t('webhook')}>
      {(fetchedWebhook, reload) => {
        const { record } = fetchedWebhook;
        return (
          <>
            <PageTitle
              title={record.attributes.url}
              aside={<StateBadge state={record.attributes.status} />}
              actions={
                <StatusButtons record={record}>
                  <RecordActions
                    type="webhook_subscriptions"
                    fetched={fetchedWebhook}
                    reload={reload}
                    reportedByPage={['test']}
                    without={isRotating(record) ? [] : ['revoke_previous_secret']}
                  />
                </StatusButtons>
              }
            />
            <PendingDeliveries id={record.id} />
            <Stack gap="lg">
              <Secret record={record} />
              <DeliveriesOf relation="webhook_subscription" id={record.id} />
              <Replays id={record.id} />
              <RecordView record={record as Resource} without={['secret_key']} withoutRelations />
            </Stack>
          </>
        );
      }}
    </RecordPage>
  );
}

/** Whether deliveries are also signed with the previous secret. */
const isRotating = ({ attributes }: RecordOf<'webhook_subscriptions'>): boolean =>
  Date.parse(attributes.previous_secret_expires_at ?? '') > Date.now();

/** Pending deliveries of a subscription; refreshes the page while there are any, and reports tests. */
function PendingDeliveries({ id }: { readonly id: string }) {
  const pending = useQuery(
    pageQuery(useScope(), 'webhook_deliveries', {
      'filter[webhook_subscription]': id,
      'filter[status]': 'pending',
      'page[size]': '1',
    }),
  );
  useTestResult(id);
  useAutoRefresh((pending.data?.data.length ?? 0) > 0);
  return null;
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

/** Visible characters of a masked secret, for recognition. */
const SHOWN = 10;
