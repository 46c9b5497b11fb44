import { Radio, Stack } from '@mantine/core';
import { useTexts } from '../../../i18n/use-texts.ts';
import { useCardText } from '../../../parts/value/use-card-text.ts';
import { NEW } from './payer-values.ts';
import { isCurrent, type Payer } from './use-payer.ts';

interface Props {
  readonly cards: Payer['cards'];
  readonly value: string;
  readonly onChange: (card: string) => void;
}

/** The customer's saved cards, and a new one. */
export function CardInput({ cards, value, onChange }: Props) {
  const t = useTexts('terminal');
  const cardText = useCardText();
  return (
    <Radio.Group label={t('card')} value={value} onChange={onChange}>
      <Stack gap="xs" mt={6}>
        {cards.map((card) => (
          <Radio
            key={card.id}
            value={card.id}
            label={isCurrent(card) ? cardText(card) : `${cardText(card)} (${t('card_expired')})`}
            disabled={!isCurrent(card)}
          />
        ))}
        <Radio value={NEW} label={t('card_new')} description={t('card_new_hint')} />
      </Stack>
    </Radio.Group>
  );
}
