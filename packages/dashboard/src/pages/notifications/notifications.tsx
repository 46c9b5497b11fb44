import { Stack, Text } from '@mantine/core';
import { useScope } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Section } from '../../parts/record/section.tsx';
import { Choices } from './choices.tsx';
import { NotificationList } from './notification-list.tsx';

/** Notifications of a member, and the switches of each kind. */
export function Notifications() {
  const t = useTexts('notifications');
  const { is_visit } = useScope();
  return (
    <>
      <PageTitle title={t('title')} />
      {is_visit ? (
        <Text c="dimmed">{t('visit')}</Text>
      ) : (
        <Stack gap="lg">
          <Section title={t('latest')}>
            <NotificationList />
          </Section>
          <Choices />
        </Stack>
      )}
    </>
  );
}
