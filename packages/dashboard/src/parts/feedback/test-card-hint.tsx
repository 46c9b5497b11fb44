import { Text } from '@mantine/core';
import { useScope } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../page/links.tsx';

/** Says that the simulated network knows test cards only, below a decline of another card. Nothing in live mode. */
export function TestCardHint({ reason }: { readonly reason: string | null | undefined }) {
  const t = useTexts('records');
  const { mode } = useScope();
  if (mode !== 'sandbox' || reason !== 'invalid_card') return null;
  return (
    <Text size="sm" mt={4}>
      {t('test_cards_only')}{' '}
      <ScopedLink to="developers/sandbox" underline="always">
        {t('test_cards')}
      </ScopedLink>
    </Text>
  );
}
