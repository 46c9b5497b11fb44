import { useMemo } from 'react';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import type { Column } from '../../../parts/table/column.ts';
import { Instant } from '../../../parts/value/instant.tsx';

export function useEmailColumns(): Column<'emails'>[] {
  const t = useTexts('developers');
  const names = useNames();
  return useMemo(
    () => [
      {
        key: 'subject',
        title: t('email_subject'),
        cell: ({ attributes: { subject, kind } }) => subject ?? names.value(kind),
      },
      { key: 'to_email', title: t('email_to'), cell: ({ attributes }) => attributes.to_email },
      {
        key: 'created_at',
        title: names.field('created_at'),
        cell: ({ attributes: { created_at } }) => created_at && <Instant at={created_at} />,
      },
    ],
    [t, names],
  );
}
