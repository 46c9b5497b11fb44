import { Radio, Stack } from '@mantine/core';
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

/** Asks for the outcome that an operator found at the processor. An authorisation can only have failed. */
export function CloseOutcomeDialog({ subject, isOpen, onClose }: Props) {
  const t = useTexts('operator');
  const names = useNames();
  const [outcome, setOutcome] = useState<string>('failed');
  const isAuthorisation = subject.operation === 'authorise';
  return (
    <OrderDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('close_outcome')}
      text={t(isAuthorisation ? 'close_authorisation_text' : 'close_outcome_text')}
      path={`merchants/${subject.merchant_id}/${subject.mode}/unknown_outcomes/${subject.id}/close`}
      body={{ outcome: isAuthorisation ? 'failed' : outcome }}
      danger
    >
      {!isAuthorisation && (
        <Radio.Group label={t('outcome')} value={outcome} onChange={setOutcome}>
          <Stack gap="xs" mt="xs">
            {OUTCOMES.map((value) => (
              <Radio key={value} value={value} label={names.value(value)} />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </OrderDialog>
  );
}
