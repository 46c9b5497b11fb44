import { useTexts } from '../../../i18n/use-texts.ts';
import { EmptyState } from '../../../parts/feedback/empty-state.tsx';
import { ResourceTable } from '../../../parts/table/resource-table.tsx';
import type { RowName } from '../../../parts/table/row/row-name.ts';
import { useInstantText } from '../../../parts/value/instant.tsx';
import { emailPath } from '../paths.ts';
import { useEmailColumns } from './email-columns.tsx';

/** Emails to sandbox customers. Florin stores these emails and does not send them. */
export function Mailbox() {
  const t = useTexts('developers');
  const columns = useEmailColumns();
  const instantText = useInstantText();
  const rowName: RowName<'emails'> = {
    nameOf: ({ attributes: { to_email, created_at } }) =>
      [to_email, created_at && instantText(created_at)].filter(Boolean).join(', '),
  };
  return (
    <ResourceTable
      type="emails"
      label={t('tool_mailbox')}
      columns={columns}
      to={emailPath}
      rowName={rowName}
      empty={<EmptyState title={t('mailbox_none')} hint={t('mailbox_none_hint')} />}
      plain
    />
  );
}
