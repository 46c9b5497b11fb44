import { Stack } from '@mantine/core';
import { isResourceType, useRegistry } from '../../../api/registry.ts';
import { useCan } from '../../../api/scope.ts';
import type { RecordOf, Resource } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { EmptyState } from '../../../parts/feedback/empty-state.tsx';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { recordPath } from '../../../parts/page/record-path.ts';
import { RecordView } from '../../../parts/record/record-view.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { ResourceTable } from '../../../parts/table/resource-table.tsx';
import { JsonView } from '../../../parts/value/json-view.tsx';
import { RecordPage } from '../record-page.tsx';
import { useDeliveryColumns } from '../webhooks/delivery-columns.tsx';
import { codeOf } from './event-code.ts';

/** One event: what it is about, the record as it was, and who was told. */
export function EventDetail() {
  const t = useTexts('developers');
  const can = useCan();
  return (
    <RecordPage type="events" title={t('event')}>
      {({ record }) => (
        <>
          <PageTitle title={codeOf(record) ?? t('event')} />
          <Stack gap="lg">
            <About event={record} />
            <Section title={t('event_data')}>
              <JsonView
                value={record.attributes.data}
                label={t('json_of', { what: t('event_data') })}
              />
            </Section>
            {can('developer.webhook_deliveries.read') && <EventDeliveries id={record.id} />}
            <RecordView record={record as Resource} without={['data']} />
          </Stack>
        </>
      )}
    </RecordPage>
  );
}

/** Events name types with their group: `consumer.addresses` are `consumer_addresses`. */
function About({ event }: { readonly event: RecordOf<'events'> }) {
  const registry = useRegistry();
  const t = useTexts('developers');
  const { resource_type, resource_id } = event.attributes;
  const scope = Object.values(registry).find(({ events }) => events?.scope === resource_type);
  if (!scope || !isResourceType(registry, scope.type)) return null;
  return (
    <div>
      <ScopedLink to={recordPath(scope.type, resource_id)}>{t('event_open')}</ScopedLink>
    </div>
  );
}

function EventDeliveries({ id }: { readonly id: string }) {
  const t = useTexts('developers');
  const columns = useDeliveryColumns();
  return (
    <Section title={t('deliveries')}>
      <ResourceTable
        type="webhook_deliveries"
        label={t('deliveries')}
        columns={columns}
        fixed={{ 'filter[event]': id, include: 'event' }}
        empty={<EmptyState title={t('deliveries_none')} hint={t('deliveries_none_hint')} />}
        plain
      />
    </Section>
  );
}
