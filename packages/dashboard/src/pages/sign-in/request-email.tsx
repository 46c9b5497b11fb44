import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDashboardWrite } from '../../api/queries.ts';
import { useInstance } from '../../api/session.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { ScopedLink } from '../../parts/page/links.tsx';
import { Outside } from './outside.tsx';

export function Register() {
  const t = useTexts('sign-in');
  const isClosed = useInstance()?.registration === 'closed';
  return isClosed ? (
    <Outside title={t('register_title')}>
      <Alert role="note" color="blue">
        {t('register_closed')}
      </Alert>
      <ScopedLink to="/sign-in">{t('to_sign_in')}</ScopedLink>
    </Outside>
  ) : (
    <RequestEmail path="registrations" title={t('register_title')} hint={t('register_hint')} />
  );
}

/** Requests a link to reset the password. */
export function ForgotPassword() {
  const t = useTexts('sign-in');
  return <RequestEmail path="password_resets" title={t('forgot_title')} hint={t('forgot_hint')} />;
}

interface Props {
  readonly path: 'registrations' | 'password_resets';
  readonly title: string;
  readonly hint: string;
}

/**
 * Form for an email address. The only result is an email, so the page does not reveal which addresses have accounts.
 */
function RequestEmail({ path, title, hint }: Props) {
  const t = useTexts('sign-in');
  const { language } = useLanguage();
  const emailRequest = useDashboardWrite<{ email: string; locale: string }>(path, 'POST');
  const form = useForm({ initialValues: { email: '' } });
  const submit = form.onSubmit(({ email }) => emailRequest.mutate({ email, locale: language }));
  return (
    <Outside title={title}>
      {emailRequest.isSuccess ? (
        <MailSent email={form.values.email} />
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">{hint}</Text>
            {emailRequest.error && <ProblemAlert error={emailRequest.error} />}
            <TextInput
              label={t('email')}
              type="email"
              autoComplete="username"
              required
              {...form.getInputProps('email')}
            />
            <Button type="submit" loading={emailRequest.isPending}>
              {t('send_mail')}
            </Button>
          </Stack>
        </form>
      )}
      <ScopedLink to="/sign-in">{t('to_sign_in')}</ScopedLink>
    </Outside>
  );
}

function MailSent({ email }: { readonly email: string }) {
  const t = useTexts('sign-in');
  const instance = useInstance();
  return (
    <Alert role="status" color="teal" title={t('mail_sent')}>
      {t('mail_sent_hint', { email })}
      {instance?.mail === 'mailbox' && (
        <div>
          <ScopedLink to="/mailbox">{t('mailbox_here')}</ScopedLink>
        </div>
      )}
    </Alert>
  );
}
