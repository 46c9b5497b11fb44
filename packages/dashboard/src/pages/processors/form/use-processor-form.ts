import { type UseFormReturnType, useForm } from '@mantine/form';
import { useEffect } from 'react';
import { problemsByField } from '../../../api/errors.ts';
import type { Mode } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import type { ProcessorField, StoredSecret } from '../types.ts';
import type { AccountValues } from './account-body.ts';
import { fieldProblem } from './field-problem.ts';

export type AccountForm = UseFormReturnType<AccountValues>;

interface Options {
  readonly mode: Mode;
  readonly values: AccountValues;
  readonly fields: readonly ProcessorField[];
  /** Secrets that may stay empty, because the account has them. */
  readonly stored: readonly StoredSecret[];
  readonly error: unknown;
}

/** Returns the form of an account. Inputs show the server's problems; `others` has those without an input. */
export function useProcessorForm({ mode, values, fields, stored, error }: Options) {
  const t = useTexts('processors');
  const form = useForm<AccountValues>({
    initialValues: values,
    validate: (content) => ({
      ...namelessProblem(t, content),
      ...problemsOf(t, content, { mode, fields, stored }),
    }),
  });
  const refused = error ? problemsByField(error, (path) => isInput(path, fields)) : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the server's problems show once, until the person types.
  useEffect(() => {
    if (refused) form.setErrors({ ...refused.fields });
  }, [error]);
  return { form, others: refused?.others ?? [] };
}

const CHOICES = ['name', 'merchant_id', 'descriptor', 'currencies', 'networks'];

const pathOf = ({ secret, name }: ProcessorField): string =>
  `${secret ? 'secrets' : 'settings'}.${name}`;

const isInput = (path: string, fields: readonly ProcessorField[]): boolean =>
  CHOICES.includes(path) || fields.some((field) => pathOf(field) === path);

type Translate = Parameters<typeof fieldProblem>[0];

const namelessProblem = (t: Translate, { name }: AccountValues): Record<string, string> =>
  name.trim() === '' ? { name: t('required') } : {};

function problemsOf(
  t: Translate,
  content: AccountValues,
  { mode, fields, stored }: Pick<Options, 'mode' | 'fields' | 'stored'>,
): Record<string, string> {
  const found = fields.flatMap((field) => {
    const isStored = stored.some(({ name }) => name === field.name);
    const value = content[field.secret ? 'secrets' : 'settings'][field.name] ?? '';
    const required = field.required && !isStored;
    const problem = fieldProblem(t, { ...field, required }, value, mode);
    return problem ? [[pathOf(field), problem] as const] : [];
  });
  return Object.fromEntries(found);
}
