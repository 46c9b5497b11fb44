import { Radio, Stack } from '@mantine/core';
import { useLocale, useTexts } from '../../../i18n/use-texts.ts';
import { dayText } from '../../../parts/value/instant.tsx';
import { useCardText } from '../../../parts/value/use-card-text.ts';
import { NEW } from './payer-values.ts';
import { isCurrent, type Payer } from './use-payer.ts';

interface Props {
  readonly cards: Payer['cards'];
  readonly declined: Payer['declined'];
  readonly value: string;
  readonly onChange: (card: string) => void;
}

/** The customer's saved cards, with a note where one has expired or was declined, and a new one. */
export function CardInput({ cards, declined, value, onChange }: Props) {
  const t = useTexts('terminal');
  const locale = useLocale();
  const cardText = useCardText();
  const noteOf = (card: Payer['cards'][number]): string | undefined => {
    if (!isCurrent(card)) return t('card_expired');
    const at = declined.get(card.id);
    return at && t('card_declined', { date: dayText(at, locale) });
  };
  const labelOf = (card: Payer['cards'][number]): string => {
    const note = noteOf(card);
    return note ? `${cardText(card)} (${note})` : cardText(card);
  };
  return (
    <Radio.Group label={t('card')} value={value} onChange={onChange}>
      <Stack gap="xs" mt={6}>
        {cards.map((card) => (
          <Radio key={card.id} value={card.id} label={labelOf(card)} disabled={!isCurrent(card)} />
        ))}
        <Radio value={NEW} label={t('card_new')} description={t('card_new_hint')} />
      </Stack>
    </Radio.Group>
  );
}
