import { Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { OrderDialog } from './order-dialog.tsx';
import type { UnknownOutcome } from './types.ts';

interface Props {
  readonly subject: UnknownOutcome;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const OUTCOMES = ['failed', 'succeeded'] as const;
const REFERENCE_MAX = 100;

/** Asks for the outcome that an operator found at the processor. A captured payment needs its id there. */
export function CloseOutcomeDialog({ subject, isOpen, onClose }: Props) {
  const t = useTexts('operator');
  const names = useNames();
  const [outcome, setOutcome] = useState<string>('failed');
  const [reference, setReference] = useState('');
  const isAuthorisation = subject.operation === 'authorise';
  const isConfirmed = isAuthorisation && outcome === 'succeeded';
  return (
    <OrderDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('close_outcome')}
      text={t(isAuthorisation ? 'close_authorisation_text' : 'close_outcome_text')}
      path={`merchants/${subject.merchant_id}/${subject.mode}/unknown_outcomes/${subject.id}/close`}
      body={{ outcome, ...(isConfirmed && { processor_reference: reference }) }}
      danger
    >
      <Radio.Group label={t('outcome')} value={outcome} onChange={setOutcome}>
        <Stack gap="xs" mt="xs">
          {OUTCOMES.map((value) => (
            <Radio key={value} value={value} label={names.value(value)} />
          ))}
        </Stack>
      </Radio.Group>
      {isConfirmed && (
        <TextInput
          label={t('payment_reference')}
          description={t('payment_reference_hint')}
          required
          maxLength={REFERENCE_MAX}
          value={reference}
          onChange={({ currentTarget }) => setReference(currentTarget.value)}
        />
      )}
    </OrderDialog>
  );
}
