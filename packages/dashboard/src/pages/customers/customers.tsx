import { Button, Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useCan } from '../../api/scope.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EmptyState } from '../../parts/feedback/empty-state.tsx';
import { useGo } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { recordPath } from '../../parts/page/record-path.ts';
import { useNewDialog } from '../../parts/page/use-new-dialog.ts';
import type { Column } from '../../parts/table/column.ts';
import { ResourceTable } from '../../parts/table/resource-table.tsx';
import { Icon } from '../../parts/value/icon.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { StateBadge } from '../../parts/value/state-badge.tsx';
import { NewCustomerDialog } from './new-customer/new-customer-dialog.tsx';

/** List of customers, newest first. */
export function Customers() {
  const t = useTexts('customers');
  const columns = useCustomerColumns();
  return (
    <>
      <PageTitle title={t('customers')} actions={<NewCustomer />} />
      <Text c="dimmed" size="sm" mb="md">
        {t('intro')}
      </Text>
      <ResourceTable
        type="customers"
        label={t('customers')}
        columns={columns}
        empty={<EmptyState title={t('none')} hint={t('none_hint')} />}
      />
    </>
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
