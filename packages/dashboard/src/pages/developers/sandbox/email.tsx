import { Stack } from '@mantine/core';
import { useScope } from '../../../api/scope.ts';
import type { Resource } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { RecordPage } from '../../../parts/record/record-page.tsx';
import { RecordView } from '../../../parts/record/record-view.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { StateBadge } from '../../../parts/value/state-badge.tsx';
import classes from '../developers.module.css';

/** An email as its recipient sees it, in a frame without any permissions. */
export function Email() {
  const t = useTexts('developers');
  const { merchant, mode } = useScope();
  return (
    <RecordPage type="emails" title={t('email')}>
      {({ record }) => {
        const { subject, status } = record.attributes;
        const query = new URLSearchParams({ merchant, mode });
        return (
          <>
            <PageTitle title={subject ?? t('email')} aside={<StateBadge state={status} />} />
            <Stack gap="lg">
              <Section title={t('email_preview')}>
                <iframe
                  className={classes.email}
                  title={t('email_preview')}
                  sandbox=""
                  src={`/dashboard/api/emails/${record.id}/page?${query}`}
                />
              </Section>
              <RecordView record={record as Resource} without={['html', 'subject']} />
            </Stack>
          </>
        );
      }}
    </RecordPage>
  );
}
