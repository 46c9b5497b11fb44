import { Button } from '@mantine/core';
import { ApiError } from '../api/errors.ts';
import { useTexts } from '../i18n/use-texts.ts';
import { EmptyState } from '../parts/feedback/empty-state.tsx';
import { ProblemAlert } from '../parts/feedback/problem-alert.tsx';
import { PageTitle } from '../parts/page/page-title.tsx';

/** Shown when a page throws: a refusal in the interface's words, or a defect of the application. */
export function Broken({ error }: { readonly error: unknown }) {
  const t = useTexts('common');
  const reload = () => location.reload();
  return (
    <>
      <PageTitle title={t('broken')} />
      {error instanceof ApiError ? (
        <ProblemAlert error={error} onRetry={reload} />
      ) : (
        <EmptyState
          title={t('problem')}
          hint={t('broken_hint')}
          action={<Button onClick={reload}>{t('reload')}</Button>}
        />
      )}
    </>
  );
}
