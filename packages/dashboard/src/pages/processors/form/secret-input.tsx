import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../../i18n/use-texts.ts';
import { PasswordBox } from '../../../parts/form/inputs/password-box.tsx';
import type { ProcessorField } from '../types.ts';

interface Props {
  readonly field: ProcessorField;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: ReactNode;
  /** Whether the account has this secret already, so that an empty input keeps it. */
  readonly isStored?: boolean;
}

const ROWS_MIN = 3;
const ROWS_MAX = 8;

/** Input for a secret. Certificates and keys in PEM need their lines, which a password input would join. */
export function SecretInput({ field, value, onChange, error, isStored }: Props) {
  const t = useTexts('processors');
  const shared = {
    label: field.label,
    description: field.help,
    required: field.required && !isStored,
    autoComplete: 'new-password',
    spellCheck: false,
    error,
    value,
    ...(isStored && { placeholder: t('keep_secret') }),
  };
  if (field.pattern?.includes('BEGIN'))
    return (
      <Textarea
        {...shared}
        autosize
        minRows={ROWS_MIN}
        maxRows={ROWS_MAX}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  return (
    <PasswordBox {...shared} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
  );
}
