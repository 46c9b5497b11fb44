import { useMemo } from 'react';
import { useNames } from '../../i18n/use-names.ts';
import type { Column } from '../../parts/table/column.ts';
import { amountColumn, createdColumn, payerColumn } from '../../parts/table/usual-columns.tsx';
import { Deadline } from './deadline.tsx';
import { DisputeBadge } from './dispute-badge.tsx';
import { PAYER } from './disputed-payer.ts';

/** Columns of tables of disputes. */
export function useDisputeColumns(): Column<'disputes'>[] {
  const names = useNames();
  return useMemo(
    () => [
      amountColumn(names),
      {
        key: 'status',
        title: names.field('status'),
        sort: 'status',
        cell: ({ attributes }) => <DisputeBadge status={attributes.status} />,
      },
      payerColumn(names, PAYER),
      {
        key: 'reason',
        title: names.field('reason'),
        sort: 'reason',
        cell: ({ attributes }) => names.value(attributes.reason),
      },
      {
        key: 'evidence_due_at',
        title: names.field('evidence_due_at'),
        sort: 'evidence_due_at',
        cell: (dispute) => <Deadline dispute={dispute} />,
      },
      createdColumn(names),
    ],
    [names],
  );
}
