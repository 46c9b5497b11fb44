import { permissionSlug } from '@florin/contract/permissions.ts';
import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRegistry } from '../../api/registry.ts';
import { useCan, useScope } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EmptyState } from '../../parts/feedback/empty-state.tsx';
import { CreateDialog } from '../../parts/form/create-dialog.tsx';
import { LinkButton, useGo } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { recordPath } from '../../parts/page/record-path.ts';
import { useAddressSearch } from '../../parts/page/search.ts';
import { ResourceTable } from '../../parts/table/resource-table.tsx';
import { Icon } from '../../parts/value/icon.tsx';
import { usePaymentColumns, usePaymentInclude } from './payment-columns.tsx';
import { hasQuickFilters, QuickFilters } from './quick-filters.tsx';
import { SearchBox } from './search/search-box.tsx';
import { SearchResults } from './search/search-results.tsx';

/** All payments, with search and filters. */
export function Payments() {
  const t = useTexts('payments');
  const [search, change] = useAddressSearch();
  const text = search.q ?? '';
  return (
    <>
      <PageTitle title={t('payments')} actions={<NewPayment />} />
      <Stack gap="md">
        <SearchBox text={text} onSearch={(q) => change({ q })} />
        {text ? <SearchResults text={text} /> : <AllPayments />}
      </Stack>
    </>
  );
}

function AllPayments() {
  const t = useTexts('payments');
  const [search, change] = useAddressSearch();
  const columns = usePaymentColumns();
  const include = usePaymentInclude();
  return (
    <>
      <QuickFilters search={search} change={change} />
      <ResourceTable
        type="payment_demands"
        label={t('payments')}
        columns={columns}
        fixed={include ? { include } : {}}
        empty={hasQuickFilters(search) ? <NoneOfThese /> : <NoneYet />}
      />
    </>
  );
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
  const t = useTexts('records');
  const can = useCan();
  const go = useGo();
  const definition = useRegistry().payment_demands;
  const [isOpen, { open, close }] = useDisclosure(false);
  const { takes_payments } = useScope();
  if (!takes_payments || !can(permissionSlug(definition, 'create'))) return null;
  return (
    <>
      <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
        {t('new')}
      </Button>
      <CreateDialog
        type="payment_demands"
        isOpen={isOpen}
        onClose={close}
        onDone={({ id }) => go(recordPath('payment_demands', id))}
      />
    </>
  );
}
