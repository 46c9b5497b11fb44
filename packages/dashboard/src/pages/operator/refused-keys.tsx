import { Alert, List, Text } from '@mantine/core';
import { useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../../parts/page/links.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import type { Health } from './types.ts';

/** Names the processor accounts whose key is refused. The account's page says what to do. */
export function RefusedKeys({ health: { refused_keys } }: { readonly health: Health }) {
  const t = useTexts('operator');
  if (refused_keys.length === 0) return undefined;
  return (
    <Alert color="red" role="alert" title={t('refused_keys')}>
      <Text size="sm">{t('refused_keys_text')}</Text>
      <List size="sm">
        {refused_keys.map(({ id, name, mode, count, since }) => (
          <List.Item key={id}>
            <ScopedLink to={`/operator/processors/${id}`} underline="always">
              {name}
            </ScopedLink>{' '}
            · {t(mode)} · {t.count('refused_keys_count', count)} <Instant at={since} seconds />
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
