import { NOTE_CHARS_MAX } from '@florin/contract/payment-notes.ts';
import { Button, Group, NativeSelect, Stack, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useDashboardWrite } from '../../../../api/queries.ts';
import { useCan } from '../../../../api/scope.ts';
import { useTexts } from '../../../../i18n/use-texts.ts';
import { ProblemAlert } from '../../../../parts/feedback/problem-alert.tsx';
import { useNotes } from './use-notes.ts';

/** Form for a note to colleagues, for people who may write one. A mentioned colleague is notified. */
export function NoteForm({ paymentId }: { readonly paymentId: string }) {
  const t = useTexts('payments');
  const can = useCan();
  const { data } = useNotes(paymentId);
  const [text, setText] = useState('');
  const note = useDashboardWrite<{ readonly text: string }>(`payments/${paymentId}/notes`, 'POST');
  if (!can('transaction.refund_demands.create')) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '' || note.isPending) return;
    note.mutate({ text: text.trim() }, { onSuccess: () => setText('') });
  };
  const mention = (name: string) =>
    name && setText((typed) => `${typed}${/(?:^|\s)$/.test(typed) ? '' : ' '}@${name} `);
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        {note.error && <ProblemAlert error={note.error} />}
        <Textarea
          label={t('note')}
          description={t('note_hint')}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          maxLength={NOTE_CHARS_MAX}
          autosize
          minRows={2}
        />
        <Group gap="xs">
          <NativeSelect
            aria-label={t('note_mention')}
            value=""
            onChange={({ currentTarget }) => mention(currentTarget.value)}
            data={[{ value: '', label: t('note_mention') }, ...(data?.mentionable ?? [])]}
          />
          <Button type="submit" variant="default" loading={note.isPending}>
            {t('note_add')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
