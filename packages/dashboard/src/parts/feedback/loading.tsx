import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { useTexts } from '../../i18n/use-texts.ts';

const ROWS = 8;

export function Loading({ rows = ROWS }: { readonly rows?: number }) {
  const t = useTexts('common');
  return (
    <Stack gap="sm" py="sm" aria-busy="true">
      <VisuallyHidden>{t('loading')}</VisuallyHidden>
      {Array.from({ length: rows }, (_row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholder rows differ only in position.
        <Skeleton key={index} height={22} radius="sm" />
      ))}
    </Stack>
  );
}
