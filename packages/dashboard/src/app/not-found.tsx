import { Box } from '@mantine/core';
import { useTexts } from '../i18n/use-texts.ts';
import { EmptyState } from '../parts/feedback/empty-state.tsx';
import { LinkButton } from '../parts/page/links.tsx';
import { PageTitle } from '../parts/page/page-title.tsx';

/** Page for unknown addresses. */
export function NotFound() {
  const t = useTexts('common');
  return (
    <>
      <PageTitle title={t('not_found')} />
      <EmptyState
        title={t('not_found')}
        hint={t('not_found_hint')}
        action={<LinkButton to="/">{t('go_home')}</LinkButton>}
      />
    </>
  );
}

/** Page for unknown addresses outside of the frame. */
export const NotFoundPage = () => (
  <Box component="main" p="md">
    <NotFound />
  </Box>
);
