import { ActionIcon, Code, CopyButton, Group, VisuallyHidden } from '@mantine/core';
import { use } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import { Icon } from './icon.tsx';
import { InLink } from './in-link.ts';
import classes from './value.module.css';

interface Props {
  readonly value: string;
  /** Text to show instead of the value. */
  readonly label?: string;
  /** Name of the value for screen readers: `API key`. */
  readonly what?: string;
}

/** A value with a copy button. */
export function Copyable({ value, label, what }: Props) {
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
      <Code className={classes.copied ?? ''}>{label ?? value}</Code>
      <CopyAction value={value} what={what ?? label ?? value} />
    </Group>
  );
}

/** A copy button for a value beside it. */
export function CopyAction({ value, what }: { readonly value: string; readonly what: string }) {
  const t = useTexts('common');
  if (use(InLink)) return null;
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            onClick={copy}
            aria-label={t('copy_what', { what })}
          >
            <Icon name={copied ? 'check' : 'copy'} size={14} />
          </ActionIcon>
          <VisuallyHidden role="status">{copied && t('copied')}</VisuallyHidden>
        </>
      )}
    </CopyButton>
  );
}

/** An id. In short form it shows its last characters and copies the full id. */
export function Id({ value, short }: { readonly value: string; readonly short?: boolean }) {
  const t = useTexts('common');
  const label = short && `…${value.slice(-SHOWN)}`;
  return (
    <Copyable
      value={value}
      what={label ? `${t('id')} ${label}` : t('id')}
      {...(label && { label })}
    />
  );
}

const SHOWN = 8;
