import { Anchor, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { CalendarDate } from '../../parts/value/instant.tsx';
import { Money } from '../../parts/value/money.tsx';
import { OrderDialog } from './order-dialog.tsx';
import { PagedTable } from './paged-table.tsx';
import type { Exception } from './types.ts';
import { useActionDialog } from './use-action-dialog.ts';

/** Differences between settlement files and the ledger, oldest first. */
export function OperatorExceptions() {
  const t = useTexts('operator');
  const names = useNames();
  const { subject, isOpen, ask, close } = useActionDialog<Exception>();
  const moneyText = (cents: number | null, currency: string) =>
    cents === null ? '–' : <Money cents={cents} currency={currency} />;
  return (
    <>
      <PageTitle title={t('exceptions')} />
      <PagedTable<Exception>
        path="settlement_exceptions"
        label={t('exceptions')}
        empty={{ title: t('no_exceptions'), hint: t('no_exceptions_hint') }}
        columns={[
          { title: t('day'), cell: ({ settled_on }) => <CalendarDate date={settled_on} /> },
          { title: t('business'), cell: (row) => <Business row={row} /> },
          {
            title: t('actions'),
            cell: (row) => (
              <Button
                size="xs"
                variant="default"
                aria-label={`${t('resolve')}: ${names.value(row.kind)}, ${row.processor_reference}`}
                onClick={() => ask(row)}
              >
                {t('resolve')}
              </Button>
            ),
          },
          { title: t('difference'), cell: ({ kind }) => names.value(kind) },
          { title: t('what'), cell: ({ entry }) => names.value(entry) },
          {
            title: t('expected'),
            cell: (row) => moneyText(row.expected_cents, row.amount_currency),
          },
          { title: t('found'), cell: (row) => moneyText(row.found_cents, row.amount_currency) },
          { title: t('reference'), cell: ({ processor_reference }) => processor_reference },
        ]}
      />
      {subject && (
        <OrderDialog
          isOpen={isOpen}
          onClose={close}
          title={t('resolve')}
          text={t('resolve_text')}
          path={`merchants/${subject.merchant_id}/${subject.mode}/settlement_exceptions/${subject.id}/resolve`}
        />
      )}
    </>
  );
}

const Business = ({ row }: { readonly row: Exception }) => (
  <Anchor
    component={Link}
    fz="inherit"
    to={`/${row.merchant_id}/${row.mode}/records/settlement_exceptions/${row.id}`}
  >
    {row.business_name ?? row.merchant_id}
  </Anchor>
);
