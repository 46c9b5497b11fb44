import { Alert, Stack, Text } from '@mantine/core';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Instant } from '../../../parts/value/instant.tsx';
import type { ProcessorAccount } from '../types.ts';

interface Props {
  readonly account: ProcessorAccount;
}

/** Says since when the processor refuses the account's key, and the next step. Gone after the next accepted message. */
export function RefusedKey({ account: { refused_key: refused } }: Props) {
  const t = useTexts('processors');
  if (!refused) return undefined;
  const status = [refused.last_status, refused.last_code ?? []].flat().join(', ');
  return (
    <Alert color="red" role="alert" title={t('key_refused_title')}>
      <Stack gap="xs">
        <Text size="sm">{t.count('key_refused_count', refused.count, { status })}</Text>
        <Text size="sm">{t('key_refused_text')}</Text>
        <Text size="xs" component="div">
          {t('key_refused_since')} <Instant at={refused.since} seconds />
          {' · '}
          {t('key_refused_last')} <Instant at={refused.last_at} seconds />
        </Text>
      </Stack>
    </Alert>
  );
}

/** The same in a line, for the list of accounts. */
export function RefusedKeyLine({ account: { refused_key: refused } }: Props) {
  const t = useTexts('processors');
  if (!refused) return undefined;
  return (
    <Text size="sm" c="var(--mantine-color-error)" component="div">
      {t('key_refused_title')} {t('key_refused_since')} <Instant at={refused.since} seconds />
    </Text>
  );
}
