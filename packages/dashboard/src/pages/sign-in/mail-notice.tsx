import { Alert } from '@mantine/core';
import { useMe } from '../../api/session.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../../parts/page/links.tsx';

/** Warns that this installation does not send emails. */
export function MailNotice() {
  const t = useTexts('sign-in');
  const { mail } = useMe().instance;
  if (mail === 'smtp') return null;
  return (
    <Alert color="blue" mb="md" role="note">
      {mail === 'none' ? (
        t('mail_none')
      ) : (
        <ScopedLink to="/mailbox">{t('mailbox_here')}</ScopedLink>
      )}
    </Alert>
  );
}
