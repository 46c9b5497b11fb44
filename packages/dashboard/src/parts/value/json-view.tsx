import { Button, Code, CopyButton, Stack } from '@mantine/core';
import { useTexts } from '../../i18n/use-texts.ts';
import classes from './value.module.css';

const INDENT = 2;

/** Formatted JSON with a copy button. */
export function JsonView({ value, label }: { readonly value: unknown; readonly label: string }) {
  const t = useTexts('common');
  const text = JSON.stringify(value, null, INDENT);
  return (
    <Stack gap="xs" align="flex-start">
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button
            size="xs"
            variant="default"
            onClick={copy}
            aria-label={copied ? t('copied') : t('copy_what', { what: label })}
          >
            {copied ? t('copied') : t('copy')}
          </Button>
        )}
      </CopyButton>
      <Code
        block
        w="100%"
        className={classes.json ?? ''}
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        {text}
      </Code>
    </Stack>
  );
}
