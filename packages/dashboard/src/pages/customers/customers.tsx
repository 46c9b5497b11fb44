import { Box, Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import type { Parameters } from '../../api/queries.ts';
import { useCan } from '../../api/scope.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EmptyState } from '../../parts/feedback/empty-state.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { useGo } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { recordPath } from '../../parts/page/record-path.ts';
import { useAddressSearch } from '../../parts/page/search.ts';
import { useNewDialog } from '../../parts/page/use-new-dialog.ts';
import type { Column } from '../../parts/table/column.ts';
import { ResourceTable } from '../../parts/table/resource-table.tsx';
import { SearchBox } from '../../parts/table/search-box.tsx';
import { Icon } from '../../parts/value/icon.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { StateBadge } from '../../parts/value/state-badge.tsx';
import { NewCustomerDialog } from './new-customer/new-customer-dialog.tsx';
import { useFoundCustomers } from './use-found-customers.ts';

/** List of customers, newest first. */
export function Customers() {
  const t = useTexts('customers');
  const [search, change] = useAddressSearch();
  const text = search.q ?? '';
  return (
    <>
      <PageTitle title={t('customers')} actions={<NewCustomer />} />
      <Text c="dimmed" size="sm" mb="md">
        {t('intro')}
      </Text>
      <Stack gap="sm">
        <Group>
          <SearchBox
            text={text}
            label={t('search')}
            hint={t('search_hint')}
            onSearch={(q) => change({ q })}
          />
        </Group>
        <FoundCount text={text} />
        {text ? (
          <Found text={text} />
        ) : (
          <Table empty={<EmptyState title={t('none')} hint={t('none_hint')} />} />
        )}
      </Stack>
    </>
  );
}

/** Says to screen readers how many customers a search found. Stays on the page, so that each search is announced. */
function FoundCount({ text }: { readonly text: string }) {
  const t = useTexts('customers');
  const { ids, hasMore, isPending, error } = useFoundCustomers(text);
  const isFound = text !== '' && !isPending && !error;
  return (
    <VisuallyHidden role="status">
      {isFound && (hasMore ? t('found_more', { count: ids.length }) : t.count('found', ids.length))}
    </VisuallyHidden>
  );
}

/** Customers that match a text. The filters of the list apply to them too. */
function Found({ text }: { readonly text: string }) {
  const t = useTexts('customers');
  const { ids, hasMore, isPending, error, retry } = useFoundCustomers(text);
  const none = <EmptyState title={t('found_none')} hint={t('found_none_hint')} />;
  if (error) return <ProblemAlert error={error} onRetry={retry} />;
  if (isPending && ids.length === 0) return <Loading />;
  if (ids.length === 0) return none;
  return (
    <>
      {hasMore && <Text size="sm">{t('found_more', { count: ids.length })}</Text>}
      <Box inert={isPending} opacity={isPending ? 0.6 : 1}>
        <Table fixed={{ 'filter[id]': ids.join(',') }} empty={none} />
      </Box>
    </>
  );
}

interface TableProps {
  readonly fixed?: Parameters;
  readonly empty: ReactNode;
}

function Table({ fixed = {}, empty }: TableProps) {
  const t = useTexts('customers');
  const columns = useCustomerColumns();
  return (
    <ResourceTable
      type="customers"
      label={t('customers')}
      columns={columns}
      fixed={fixed}
      empty={empty}
    />
  );
}

function NewCustomer() {
  const t = useTexts('customers');
  const can = useCan();
  const go = useGo();
  const [isOpen, { open, close }] = useNewDialog();
  if (!can('consumer.customers.create')) return null;
  return (
    <>
      <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
        {t('new_customer')}
      </Button>
      <NewCustomerDialog
        isOpen={isOpen}
        onClose={close}
        onDone={(id) => go(recordPath('customers', id))}
      />
    </>
  );
}

function useCustomerColumns(): Column<'customers'>[] {
  const names = useNames();
  const t = useTexts('customers');
  return useMemo(
    () => [
      {
        key: 'name',
        title: names.field('name'),
        sort: 'name',
        cell: ({ attributes: { name, email, blocked_at } }) => (
          <Group component="span" gap="xs" wrap="nowrap">
            {name || email}
            {blocked_at && <StateBadge state="blocked" />}
          </Group>
        ),
      },
      {
        key: 'email',
        title: names.field('email'),
        sort: 'email',
        cell: ({ attributes }) => attributes.email,
      },
      {
        key: 'phone_number',
        title: names.field('phone_number'),
        sort: 'phone_number',
        cell: ({ attributes }) => attributes.phone_number ?? '–',
      },
      {
        key: 'created_at',
        title: t('since'),
        sort: 'created_at',
        cell: ({ attributes: { created_at } }) =>
          created_at ? <Instant at={created_at} day /> : '–',
      },
    ],
    [names, t],
  );
}
