import { Group } from '@mantine/core';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ChoiceBar } from '../../../parts/form/choice-bar.tsx';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { useAddressSearch } from '../../../parts/page/search.ts';
import { Instant } from '../../../parts/value/instant.tsx';
import { Money } from '../../../parts/value/money.tsx';
import { StateBadge } from '../../../parts/value/state-badge.tsx';
import { PagedTable } from '../../operator/paged-table.tsx';
import { useProcessorAccounts } from '../use-processors.ts';
import type { Notification } from './types.ts';

const SHOWN = ['open', 'all'] as const;

/** Messages of processors, newest first. At first the page shows only what an operator decides. */
export function ProcessorNotifications() {
  const t = useTexts('processors');
  const [{ show = 'open' }, change] = useAddressSearch();
  const accounts = useProcessorAccounts().data?.data ?? [];
  const isOpenOnly = show !== 'all';
  return (
    <>
      <PageTitle title={t('notifications')} />
      <Group mb="md">
        <ChoiceBar
          label={t('show')}
          value={isOpenOnly ? 'open' : 'all'}
          onChange={(value) => change({ show: value === 'all' ? 'all' : '' })}
          data={SHOWN.map((value) => ({ value, label: t(`show_${value}`) }))}
        />
      </Group>
      <PagedTable<Notification>
        path="processor_notifications"
        parameters={isOpenOnly ? { open: 'true' } : {}}
        label={t('notifications')}
        empty={
          isOpenOnly
            ? { title: t('no_open'), hint: t('no_open_hint') }
            : { title: t('no_notifications'), hint: t('no_notifications_hint') }
        }
        columns={[
          {
            title: t('received'),
            cell: ({ id, received_at }) => (
              <ScopedLink to={`/operator/notifications/${id}`}>
                <Instant at={received_at} seconds />
              </ScopedLink>
            ),
          },
          { title: t('state'), cell: ({ status }) => <StateBadge state={status} /> },
          {
            title: t('account'),
            cell: ({ processor_account_id }) =>
              accounts.find(({ id }) => id === processor_account_id)?.name ?? '–',
          },
          { title: t('event_type'), cell: (row) => <EventTypes notification={row} /> },
          { title: t('facts'), cell: (row) => <Facts notification={row} /> },
          { title: t('payment'), cell: (row) => <Payments notification={row} /> },
          { title: t('amount'), cell: (row) => <Amounts notification={row} /> },
          { title: t('mode'), cell: ({ mode }) => t(mode) },
        ]}
      />
    </>
  );
}

interface Props {
  readonly notification: Notification;
}

const list = (texts: readonly string[]): string => [...new Set(texts)].join(', ') || '–';

/** Events in the processor's own words, which begin the keys of the facts. */
const EventTypes = ({ notification: { outcomes } }: Props) =>
  list(outcomes.flatMap(({ key }) => (/^[\w.-]+(?=[ :]\S)/.exec(key) ?? []).slice(0, 1)));

function Payments({ notification: { payments } }: Props) {
  if (payments.length === 0) return '–';
  return payments.map(({ merchant_id, mode, payment_demand_id: id }) => (
    <div key={id}>
      <ScopedLink to={`/${merchant_id}/${mode}/payments/${id}`}>{id.slice(-ID_CHARS)}</ScopedLink>
    </div>
  ));
}

/** Characters of an id that people compare. */
const ID_CHARS = 8;

function Amounts({ notification: { payments } }: Props) {
  if (payments.length === 0) return '–';
  return payments.map(({ payment_demand_id: id, amount_cents, amount_currency }) => (
    <div key={id}>
      <Money cents={amount_cents} currency={amount_currency} />
    </div>
  ));
}

/** Kinds of the facts, each once. */
function Facts({ notification: { outcomes } }: Props) {
  const t = useTexts('processors');
  const kinds = [...new Set(outcomes.map(({ kind }) => kind))];
  return kinds.map((kind) => t.find(`fact_${kind}`) ?? kind).join(', ') || '–';
}
