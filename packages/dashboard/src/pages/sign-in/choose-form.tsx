import { PASSWORD_MAX, PASSWORD_MIN, passwordError } from '@florin/contract/passwords.ts';
import { Button, Stack, TextInput, VisuallyHidden } from '@mantine/core';
import { useForm } from '@mantine/form';
import { problemsByField } from '../../api/errors.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { PasswordBox } from '../../parts/form/inputs/password-box.tsx';
import type { NameAndPassword } from './types.ts';

interface Props {
  /** Email address under which browsers store the password. */
  readonly email: string;
  readonly needsName: boolean;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onChosen: (chosen: NameAndPassword) => void;
}

/** Form for a new password; new people also enter their name. */
export function ChooseForm({ email, needsName, error, isPending, onChosen }: Props) {
  const t = useTexts('sign-in');
  const form = useForm({
    initialValues: { name: '', password: '' },
    validate: {
      password: (password) => {
        const passwordProblem = passwordError(password, email);
        return (
          passwordProblem &&
          t(`password_${passwordProblem}`, { min: PASSWORD_MIN, max: PASSWORD_MAX })
        );
      },
    },
  });
  const fieldProblems = error ? problemsByField(error, (path) => path in form.values) : undefined;
  const submit = form.onSubmit(({ name, password }) =>
    onChosen({ password, ...(needsName && { name }) }),
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        {fieldProblems && fieldProblems.others.length > 0 && (
          <ProblemAlert error={error} problems={fieldProblems.others} />
        )}
        <VisuallyHidden>
          <input
            type="email"
            autoComplete="username"
            value={email}
            readOnly
            aria-label={t('email')}
            tabIndex={-1}
          />
        </VisuallyHidden>
        {needsName && (
          <TextInput
            label={t('name')}
            autoComplete="name"
            required
            {...form.getInputProps('name')}
            error={form.errors.name ?? fieldProblems?.fields.name}
          />
        )}
        <PasswordBox
          label={t('new_password')}
          description={t('password_hint', { min: PASSWORD_MIN })}
          autoComplete="new-password"
          required
          {...form.getInputProps('password')}
          error={form.errors.password ?? fieldProblems?.fields.password}
        />
        <Button type="submit" loading={isPending}>
          {t('go_on')}
        </Button>
      </Stack>
    </form>
  );
}
