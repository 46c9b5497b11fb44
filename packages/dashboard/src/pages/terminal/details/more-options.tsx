import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../../i18n/use-texts.ts';
import classes from './terminal.module.css';

/** Inputs that few people need. */
export function MoreOptions({ children }: { readonly children: ReactNode }) {
  const t = useTexts('terminal');
  return (
    <details>
      <summary className={classes.summary}>{t('more')}</summary>
      <Stack mt="sm">{children}</Stack>
    </details>
  );
}
