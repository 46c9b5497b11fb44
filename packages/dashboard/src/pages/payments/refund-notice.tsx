import { Text } from '@mantine/core';
import { useTexts } from '../../i18n/use-texts.ts';

/** Says that payers get no email about refunds. */
export function RefundNotice() {
  const t = useTexts('payments');
  return (
    <Text size="sm" c="dimmed">
      {t('refund_no_email')}
    </Text>
  );
}
