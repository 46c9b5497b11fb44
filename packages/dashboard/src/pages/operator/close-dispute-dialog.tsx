import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import { OrderDialog } from './order-dialog.tsx';
import type { OpenDispute } from './types.ts';

interface Props {
  readonly subject: OpenDispute;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const OUTCOMES = ['lost', 'accepted', 'won'] as const;

/** Asks for the outcome that an operator found at the processor. */
export function CloseDisputeDialog({ subject, isOpen, onClose }: Props) {
  const t = useTexts('operator');
  const [outcome, setOutcome] = useState<string>('lost');
  return (
    <OrderDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('close_dispute')}
      text={t('close_dispute_text')}
      path={`merchants/${subject.merchant_id}/${subject.mode}/disputes/${subject.id}/close`}
      body={{ outcome }}
      danger
    >
      <Radio.Group label={t('outcome')} value={outcome} onChange={setOutcome}>
        <Stack gap="xs" mt="xs">
          {OUTCOMES.map((value) => (
            <Radio key={value} value={value} label={t(`dispute_${value}`)} />
          ))}
        </Stack>
      </Radio.Group>
    </OrderDialog>
  );
}
