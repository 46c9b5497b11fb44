import { Alert, Text } from '@mantine/core';
import { useTexts } from '../../i18n/use-texts.ts';
import { Instant } from '../../parts/value/instant.tsx';
import type { Health } from './types.ts';

/** Says that a restored installation is closed, and how to open it. */
export function RestoredNotice({ health: { restored_to } }: { readonly health: Health }) {
  const t = useTexts('operator');
  if (restored_to === null) return undefined;
  return (
    <Alert color="red" role="alert" title={t('restored')}>
      <Text size="sm">
        {t('restored_to')} <Instant at={restored_to} seconds />. {t('restored_text')}
      </Text>
    </Alert>
  );
}
