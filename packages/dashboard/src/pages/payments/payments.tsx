import { openTab, type PaymentTab, tabOf, tabParameters } from '@florin/contract/payment-tabs.ts';
import { permissionSlug } from '@florin/contract/permissions.ts';
import { Group, Stack } from '@mantine/core';
import type { Parameters } from '../../api/queries.ts';
import { useRegistry } from '../../api/registry.ts';
import { useCan, useScope } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EmptyState } from '../../parts/feedback/empty-state.tsx';
import { LinkButton } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { useAddressSearch } from '../../parts/page/search.ts';
import { listParameters } from '../../parts/table/filter/filters.ts';
import { ResourceTable } from '../../parts/table/resource-table.tsx';
import { SearchBox } from '../../parts/table/search-box.tsx';
import { useSelection } from '../../parts/table/selection.ts';
import { Icon } from '../../parts/value/icon.tsx';
import { BulkBar, SELECTED_MAX } from './bulk/bulk-bar.tsx';
import { ExportButton } from './export/export-button.tsx';
import { COMPARE } from './list/chips/date-chip.tsx';
import { Comparison } from './list/comparison.tsx';
import { presetParameters } from './list/dates.ts';
import { localDay } from './list/days.ts';
import { ListTabs, TabHint } from './list/list-tabs.tsx';
import { isFiltered, paymentFilters } from './list/payment-filters.tsx';
import { SavedViews } from './list/saved-views.tsx';
import { SearchNote } from './list/search-note.tsx';
import { useListText } from './list/use-list-text.ts';
import {
  READ_CARDS,
  READ_CUSTOMERS,
  usePaymentColumns,
  usePaymentInclude,
  usePaymentRowName,
} from './payment-columns.tsx';

/** Payments in tabs, with search and filters. The address holds all of it. */
export function Payments() {
  const t = useTexts('payments');
  const [search, change] = useAddressSearch();
  const tabs = { shown: tabOf(search), open: (tab: PaymentTab) => change(openTab(tab)) };
  return (
    <>
      <PageTitle title={t('payments')} actions={<NewPayment />} />
      <ListTabs search={search} {...tabs} />
      <Stack gap="sm">
        <TabHint shown={tabs.shown} />
        <Group gap="xs" justify="space-between" align="flex-start">
          <SearchBox
            text={search.q ?? ''}
            label={t('search')}
            hint={useSearchHint()}
            onSearch={(q) => change({ q })}
          />
          <SavedViews search={search} change={change} />
        </Group>
        <PaymentList />
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
  const fixed = {
    ...presetParameters(search, localDay(new Date())),
    ...tabParameters(search),
    ...(search.q && { q: search.q }),
    ...(include && { include }),
  };
  const selection = useSelection(JSON.stringify(search), SELECTED_MAX);
  const listed = useListText(search);
  return (
    <>
      {search.q && <SearchNote parameters={{ ...listParameters(search), ...fixed }} />}
      {search[COMPARE] !== undefined && <Comparison key={JSON.stringify(search)} search={search} />}
      <ResourceTable
        type="payment_demands"
        label={t('payments')}
        columns={columns}
        fixed={fixed}
        rowName={usePaymentRowName()}
        selection={selection}
        own={paymentFilters({ search, change, tab })}
        exporter={(parameters) => <ExportButton parameters={parameters} listed={listed} />}
        empty={<NoPayments search={search} />}
      />
      <BulkBar selection={selection} listed={listed} />
    </>
  );
}

/** Says why the list is empty. */
function NoPayments({ search }: { readonly search: Parameters }) {
  const t = useTexts('payments');
  if (search.q) return <EmptyState title={t('found_none')} hint={t('found_none_hint')} />;
  return tabOf(search) === 'all' && !isFiltered(search) ? <NoneYet /> : <NoneOfThese />;
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
