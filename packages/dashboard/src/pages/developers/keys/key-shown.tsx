import { Alert, Stack, Text } from '@mantine/core';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { Copyable } from '../../../parts/value/copyable.tsx';
import { SNIPPET_PATH } from '../paths.ts';

export interface CreatedKey {
  readonly token: string;
  readonly name: string;
  readonly isPublishable: boolean;
}

/** A new key. The server shows it only once. */
export function KeyShown({ made }: { readonly made: CreatedKey }) {
  const t = useTexts('developers');
  return (
    <Alert role="status" variant="default" title={t('key_made', { name: made.name })} mb="md">
      <Stack gap="xs" align="flex-start">
        <Copyable value={made.token} what={t('key')} />
        <Text size="sm">{t(made.isPublishable ? 'key_public' : 'key_once')}</Text>
        {made.isPublishable && <ScopedLink to={SNIPPET_PATH}>{t('snippet_open')}</ScopedLink>}
      </Stack>
    </Alert>
  );
}
