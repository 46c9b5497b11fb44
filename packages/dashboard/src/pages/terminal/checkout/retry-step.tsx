import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { CardInput } from '../payer/card-input.tsx';
import { NEW } from '../payer/payer-values.ts';
import type { Payer } from '../payer/use-payer.ts';
import { StepTitle } from './step-title.tsx';
import type { Checkout } from './use-checkout.ts';

interface Props {
  readonly checkout: Checkout;
  readonly payer: Payer;
  readonly payText: string;
}

/** Another card of the same customer after a decline. The payment stays the same. */
export function RetryStep({ checkout, payer, payText }: Props) {
  const t = useTexts('terminal');
  const [card, setCard] = useState(NEW);
  return (
    <Stack>
      <StepTitle>{t('card_other')}</StepTitle>
      {checkout.error !== null && <ProblemAlert error={checkout.error} />}
      <CardInput cards={payer.cards} declined={payer.declined} value={card} onChange={setCard} />
      <Group justify="flex-end">
        <Button loading={checkout.isPending} onClick={() => void checkout.retry(card)}>
          {card === NEW ? t('to_card') : payText}
        </Button>
      </Group>
    </Stack>
  );
}
