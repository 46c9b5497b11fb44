import { Stack } from '@mantine/core';
import { useTexts } from '../../i18n/use-texts.ts';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { MailNotice } from '../sign-in/mail-notice.tsx';
import { Invitations } from './invitations.tsx';
import { PasswordSection } from './password-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SecondFactors } from './second-factors.tsx';
import { SessionsSection } from './sessions-section.tsx';

export function Account() {
  const t = useTexts('account');
  return (
    <>
      <PageTitle title={t('title')} />
      <MailNotice />
      <Stack>
        <Invitations />
        <ProfileSection />
        <PasswordSection />
        <SecondFactors />
        <SessionsSection />
      </Stack>
    </>
  );
}
