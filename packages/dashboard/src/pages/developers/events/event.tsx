import { Stack } from '@mantine/core';
import { isResourceType, useRegistry } from '../../../api/registry.ts';
import type { RecordOf, Resource } from '../../../api/types.ts';
import { useEventName } from '../../../i18n/use-event-name.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { recordPath } from '../../../parts/page/record-path.ts';
import { RecordPage } from '../../../parts/record/record-page.tsx';
import { RecordView } from '../../../parts/record/record-view.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { EventCode } from '../../../parts/value/event-name.tsx';
import { JsonView } from '../../../parts/value/json-view.tsx';
import { DeliveriesOf } from '../webhooks/deliveries-of.tsx';
import { codeOf } from './event-code.ts';

/** An event: its record, snapshot and deliveries. */
export function EventDetail() {
  const t = useTexts('developers');
  const nameOf = useEventName();
  return (
    <RecordPage type="events" title={t('event')}>
      {({ record }) => (
        <>
          <PageTitle title={nameOf(codeOf(record))} aside={<EventCode code={codeOf(record)} />} />
          <Stack gap="lg">
            <About event={record} />
            <Section title={t('event_data')}>
              <JsonView
                value={record.attributes.data}
                label={t('json_of', { what: t('event_data') })}
              />
            </Section>
            <DeliveriesOf relation="event" id={record.id} />
            <RecordView record={record as Resource} without={['data']} />
          </Stack>
        </>
      )}
    </RecordPage>
  );
}

/** The record of an event. Events name types with their group: `consumer.addresses` means `consumer_addresses`. */
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
