import { Alert, Stack, Text } from '@mantine/core';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Copyable } from '../../../parts/value/copyable.tsx';
import { Instant } from '../../../parts/value/instant.tsx';
import type { ProcessorAccount } from '../types.ts';

interface Props {
  readonly account: ProcessorAccount;
}

/** Says that the processor's notifications are refused, and the next step. Gone after the next accepted one. */
export function RefusedNotifications({ account }: Props) {
  const t = useTexts('processors');
  const { refused_notifications: refused, status } = account;
  if (!refused || status === 'removed') return undefined;
  const reason = t.find(`refused_${refused.last_reason}`) ?? refused.last_reason;
  return (
    <Alert color="red" role="alert" title={t('refused_title')}>
      <Stack gap="xs">
        <Text size="sm">
          {t.count('refused_count', refused.count)} {reason}
        </Text>
        <Text size="sm">{t('refused_text')}</Text>
        <Text size="xs" component="div">
          {t('refused_last')} <Instant at={refused.last_at} seconds />
          {' · '}
          {t('refused_hash')} <Copyable value={refused.last_hash} what={t('refused_hash')} />
        </Text>
      </Stack>
    </Alert>
  );
}

/** The same in a line, for the list of accounts. */
export function RefusedNotificationsLine({ account }: Props) {
  const t = useTexts('processors');
  const { refused_notifications: refused } = account;
  if (!refused) return undefined;
  return (
    <Text size="sm" c="var(--mantine-color-error)">
      {t.count('refused_count', refused.count)} {t('refused_title')}
    </Text>
  );
}
