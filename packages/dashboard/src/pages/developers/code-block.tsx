import { Button, Code, CopyButton, Group, Title } from '@mantine/core';
import { useTexts } from '../../i18n/use-texts.ts';
import classes from './developers.module.css';

interface Props {
  /** Heading of the block, and its name for screen readers. */
  readonly title: string;
  readonly text: string;
  /** Heading level. Default 2. */
  readonly order?: 2 | 3;
}

/** A text with a copy button. */
export function CodeBlock({ title, text, order = 2 }: Props) {
  const t = useTexts('common');
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Title order={order} size="h5">
          {title}
        </Title>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              size="xs"
              variant="default"
              onClick={copy}
              aria-label={copied ? t('copied') : t('copy_what', { what: title })}
            >
              {copied ? t('copied') : t('copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Code block className={classes.code ?? ''} tabIndex={0} role="region" aria-label={title}>
        {text}
      </Code>
    </div>
  );
}
