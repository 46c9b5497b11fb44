import { openTab, type PaymentTab, tabOf, tabParameters } from '@florin/contract/payment-tabs.ts';
import { permissionSlug } from '@florin/contract/permissions.ts';
import { Group, Stack, Text } from '@mantine/core';
import type { Parameters } from '../../api/queries.ts';
import { useRegistry } from '../../api/registry.ts';
import { useCan, useScope } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EmptyState } from '../../parts/feedback/empty-state.tsx';
import { LinkButton } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { useAddressSearch } from '../../parts/page/search.ts';
import { ResourceTable } from '../../parts/table/resource-table.tsx';
import { SearchBox } from '../../parts/table/search-box.tsx';
import { useSelection } from '../../parts/table/selection.ts';
import { Icon } from '../../parts/value/icon.tsx';
import { BulkBar, SELECTED_MAX } from './bulk/bulk-bar.tsx';
import { ExportButton } from './export/export-button.tsx';
import { COMPARE } from './list/chips/date-chip.tsx';
import { Comparison } from './list/comparison.tsx';
import { presetParameters, spanOf } from './list/dates.ts';
import { localDay } from './list/days.ts';
import { ListTabs, TabHint } from './list/list-tabs.tsx';
import { hasFiltersBesideDate, isFiltered, paymentFilters } from './list/payment-filters.tsx';
import { SavedViews } from './list/saved-views.tsx';
import {
  READ_CARDS,
  READ_CUSTOMERS,
  usePaymentColumns,
  usePaymentInclude,
} from './payment-columns.tsx';
import { FoundTabs } from './search/found-tabs.tsx';
import { SearchResults } from './search/search-results.tsx';
import { UnusedFilters } from './search/unused-filters.tsx';

/** Payments in tabs, with search and filters. The address holds all of it. */
export function Payments() {
  const t = useTexts('payments');
  const [search, change] = useAddressSearch();
  const text = search.q ?? '';
  const tabs = { shown: tabOf(search), open: (tab: PaymentTab) => change(openTab(tab)) };
  return (
    <>
      <PageTitle title={t('payments')} actions={<NewPayment />} />
      {text ? <FoundTabs text={text} {...tabs} /> : <ListTabs search={search} {...tabs} />}
      <Stack gap="sm">
        <TabHint shown={tabs.shown} />
        <Group gap="xs" justify="space-between">
          <SearchBox
            text={text}
            label={t('search')}
            hint={useSearchHint()}
            onSearch={(q) => change({ q })}
          />
          <SavedViews search={search} change={change} />
        </Group>
        {text ? (
          <>
            <UnusedFilters search={search} tab={tabs.shown} />
            <SearchResults text={text} tab={tabs.shown} />
          </>
        ) : (
          <PaymentList />
        )}
      </Stack>
    </>
  );
}

/** Names the texts that the person may search by. */
function useSearchHint(): string {
  const t = useTexts('payments');
  const can = useCan();
  if (can(READ_CUSTOMERS)) return t(can(READ_CARDS) ? 'search_hint' : 'search_hint_customers');
  return t(can(READ_CARDS) ? 'search_hint_cards' : 'search_hint_payments');
}

function PaymentList() {
  const t = useTexts('payments');
  const [search, change] = useAddressSearch();
  const columns = usePaymentColumns();
  const include = usePaymentInclude();
  const tab = tabOf(search);
  const today = localDay(new Date());
  const selection = useSelection(JSON.stringify(search), SELECTED_MAX);
  const isWhole = tab === 'all' && !isFiltered(search);
  return (
    <>
      <Compared search={search} today={today} />
      <BulkBar selection={selection} />
      <ResourceTable
        type="payment_demands"
        label={t('payments')}
        columns={columns}
        fixed={{
          ...presetParameters(search, today),
          ...tabParameters(search),
          ...(include && { include }),
        }}
        selection={selection}
        own={paymentFilters({ search, change, tab })}
        exporter={(parameters) => <ExportButton parameters={parameters} />}
        empty={isWhole ? <NoneYet /> : <NoneOfThese />}
      />
    </>
  );
}

/** The comparison that the date filter asks for. The figures know no other filter. */
function Compared({ search, today }: { readonly search: Parameters; readonly today: string }) {
  const t = useTexts('payments');
  const span = search[COMPARE] === undefined ? undefined : spanOf(search, today);
  if (!span) return null;
  const isComparable = tabOf(search) === 'all' && !hasFiltersBesideDate(search);
  return isComparable ? <Comparison span={span} /> : <Text c="dimmed">{t('compare_only')}</Text>;
}

function NoneOfThese() {
  const t = useTexts('payments');
  return <EmptyState title={t('filtered_none')} hint={t('filtered_none_hint')} />;
}

function NoneYet() {
  const t = useTexts('payments');
  const { takes_payments } = useScope();
  if (!takes_payments) return <EmptyState title={t('none')} hint={t('closed')} />;
  return (
    <EmptyState
      title={t('none')}
      hint={t('none_hint')}
      action={<LinkButton to="developers/snippet">{t('none_do')}</LinkButton>}
    />
  );
}

function NewPayment() {
  const t = useTexts('payments');
  const can = useCan();
  const definition = useRegistry().payment_demands;
  const { takes_payments } = useScope();
  if (!takes_payments || !can(permissionSlug(definition, 'create'))) return null;
  return (
    <LinkButton to="payments/new" leftSection={<Icon name="plus" size={16} />}>
      {t('new_payment')}
    </LinkButton>
  );
}
