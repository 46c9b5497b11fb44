import type { PaymentNote } from '@florin/contract/payment-notes.ts';
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useDashboardWrite } from '../../../../api/queries.ts';
import { useTexts } from '../../../../i18n/use-texts.ts';
import { ConfirmDialog } from '../../../../parts/form/confirm-dialog.tsx';
import type { TimelineEntry } from '../../../../parts/record/timeline.tsx';
import { useNotes } from './use-notes.ts';

/** Notes of colleagues as entries of the timeline. */
export function useNoteEntries(payment_id: string): readonly TimelineEntry[] {
  const t = useTexts('payments');
  const notes = useNotes(payment_id).data?.notes ?? [];
  return notes.map((note) => ({
    key: note.id,
    at: note.created_at,
    title: t('note_by', { who: note.author }),
    children: <Note note={note} paymentId={payment_id} />,
  }));
}

interface Props {
  readonly note: PaymentNote;
  readonly paymentId: string;
}

function Note({ note, paymentId }: Props) {
  const t = useTexts('payments');
  const [isAsking, ask] = useDisclosure(false);
  const removal = useDashboardWrite(`payments/${paymentId}/notes/${note.id}`, 'DELETE');
  return (
    <>
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {note.text}
      </Text>
      {note.is_own && (
        <>
          <Button size="compact-xs" variant="subtle" color="red" onClick={ask.open}>
            {t('note_delete')}
          </Button>
          <ConfirmDialog
            isOpen={isAsking}
            onClose={ask.close}
            title={t('note_delete')}
            text={t('note_delete_effect')}
            confirmText={t('note_delete')}
            danger
            isPending={removal.isPending}
            error={removal.error}
            onConfirm={() => removal.mutate({}, { onSuccess: ask.close })}
          />
        </>
      )}
    </>
  );
}
