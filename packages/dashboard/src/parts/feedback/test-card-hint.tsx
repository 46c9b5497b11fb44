import { Text } from '@mantine/core';
import { useScope } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../page/links.tsx';

/** Says that the simulated network knows test cards only, below a decline of another card. Nothing in live mode. */
export function TestCardHint({ reason }: { readonly reason: string | null | undefined }) {
  return reason === 'invalid_card' ? <TestCardsLink mt={4} /> : null;
}

/** Link to the test cards of the sandbox. Opens a new tab, so that a form keeps its input. Nothing in live mode. */
export function TestCardsLink({ mt }: { readonly mt?: number }) {
  const t = useTexts('records');
  const { mode } = useScope();
  if (mode !== 'sandbox') return null;
  return (
    <Text size="sm" {...(mt && { mt })}>
      {t('test_cards_only')}{' '}
      <ScopedLink to="developers/sandbox" underline="always" isNewTab>
        {t('test_cards')}
      </ScopedLink>
    </Text>
  );
}
