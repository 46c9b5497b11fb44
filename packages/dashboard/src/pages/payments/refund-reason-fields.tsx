import { NativeSelect, Textarea } from '@mantine/core';
import { useRegistry } from '../../api/registry.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import type { EnteredReason } from './refund-reason.ts';

interface Props {
  readonly entered: EnteredReason;
  readonly onChange: (entered: EnteredReason) => void;
  readonly reasonProblem?: string | undefined;
  readonly noteProblem?: string | undefined;
}

const NOTE_MAX = 500;

/** Fields for the reason of a refund and a note about it. */
export function RefundReasonFields({ entered, onChange, reasonProblem, noteProblem }: Props) {
  const t = useTexts('payments');
  const names = useNames();
  const reasons = useRegistry().refund_demands.fields.reason?.values ?? [];
  return (
    <>
      <NativeSelect
        label={t('refund_reason')}
        value={entered.reason}
        onChange={({ currentTarget }) => onChange({ ...entered, reason: currentTarget.value })}
        error={reasonProblem}
        data={[
          { value: '', label: t('refund_reason_choose') },
          ...reasons.map((value) => ({ value, label: names.value(value) })),
        ]}
        required
      />
      <Textarea
        label={t('refund_note')}
        value={entered.note}
        onChange={({ currentTarget }) => onChange({ ...entered, note: currentTarget.value })}
        error={noteProblem}
        maxLength={NOTE_MAX}
        autosize
        minRows={2}
      />
    </>
  );
}
