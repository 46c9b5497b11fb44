import { type FormValidateInput, useForm } from '@mantine/form';
import { useEffect } from 'react';
import { problemsByField } from '../../api/errors.ts';

/** Returns a form whose fields show the server's problems; `others` holds the remaining ones. */
export function useAccountForm<V extends Record<string, unknown>>(
  initialValues: V,
  error: unknown,
  validate: FormValidateInput<V> = {},
) {
  const form = useForm<V>({ initialValues, validate });
  const refused = error ? problemsByField(error, (path) => path in initialValues) : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the server's problems show once, until the person types.
  useEffect(() => {
    if (refused) form.setErrors({ ...refused.fields });
  }, [error]);
  return { form, others: refused?.others ?? [] };
}
