import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useCan, useScope } from '../../api/scope.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EmptyState } from '../../parts/feedback/empty-state.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { useNewDialog } from '../../parts/page/use-new-dialog.ts';
import type { Column } from '../../parts/table/column.ts';
import { ResourceTable } from '../../parts/table/resource-table.tsx';
import { Icon } from '../../parts/value/icon.tsx';
import { Money } from '../../parts/value/money.tsx';
import { LinkState } from './link-state.tsx';
import { NewLinkDialog } from './new-link/new-link-dialog.tsx';

export function PaymentLinks() {
  const t = useTexts('links');
  const columns = useLinkColumns();
  const { takes_payments } = useScope();
  return (
    <>
      <PageTitle title={t('links')} actions={<NewLink />} />
      <ResourceTable
        type="payment_links"
        label={t('links')}
        columns={columns}
        empty={
          <EmptyState title={t('none')} hint={takes_payments ? t('none_hint') : t('closed')} />
        }
      />
    </>
  );
}

/** Button and dialog for a payment link, where the merchant can be paid. */
function NewLink() {
  const t = useTexts('links');
  const can = useCan();
  const [isOpen, { open, close }] = useNewDialog();
  const { takes_payments } = useScope();
  if (!takes_payments || !can('transaction.payment_links.create')) return null;
  return (
    <>
      <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
        {t('new_link')}
      </Button>
      <NewLinkDialog isOpen={isOpen} onClose={close} />
    </>
  );
}

function useLinkColumns(): Column<'payment_links'>[] {
  const names = useNames();
  const t = useTexts('links');
  return useMemo(
    () => [
      {
        key: 'title',
        title: names.field('title'),
        cell: ({ attributes }) => attributes.title,
      },
      {
        key: 'status',
        title: names.field('status'),
        sort: 'status',
        cell: ({ attributes }) => <LinkState status={attributes.status} />,
      },
      {
        key: 'amount_cents',
        title: names.field('amount_cents'),
        numeric: true,
        cell: ({ attributes: { amount_cents, amount_currency } }) => (
          <Money cents={amount_cents} currency={amount_currency} />
        ),
      },
      {
        key: 'billing_period',
        title: names.field('billing_period'),
        sort: 'billing_period',
        cell: ({ attributes: { billing_period } }) =>
          billing_period ? names.value(billing_period) : t('once'),
      },
      {
        key: 'uses_count',
        title: names.field('uses_count'),
        cell: ({ attributes: { uses_count, uses_max } }) =>
          uses_max === null ? uses_count : `${uses_count} / ${uses_max}`,
      },
    ],
    [names, t],
  );
}
