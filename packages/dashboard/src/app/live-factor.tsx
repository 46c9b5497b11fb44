import { Alert, Stack, Text } from '@mantine/core';
import { type CurrentScope, useMaybeScope } from '../api/scope.ts';
import { type Membership, useMe } from '../api/session.ts';
import { useLocale, useTexts } from '../i18n/use-texts.ts';
import { LinkButton, ScopedLink } from '../parts/page/links.tsx';
import { PageTitle } from '../parts/page/page-title.tsx';

/** Returns when live permissions begin to need a second factor; undefined in the sandbox and with a factor. */
export function useLiveFactor(
  scope: CurrentScope | undefined,
): NonNullable<Membership['live_needs_factor']> | undefined {
  const { merchants } = useMe();
  if (scope?.mode !== 'live') return undefined;
  return merchants.find(({ id }) => id === scope.merchant)?.live_needs_factor ?? undefined;
}

/** Stands in for every live page while the person's live permissions wait for a second factor. */
export function LiveFactorPage() {
  const t = useTexts('common');
  return (
    <>
      <PageTitle title={t('live_factor_title')} />
      <Stack align="flex-start">
        <Text>{t('live_factor_text')}</Text>
        <LinkButton to="/account">{t('live_factor_set_up')}</LinkButton>
      </Stack>
    </>
  );
}

/** Says on live pages until when they work without a second factor. */
export function LiveFactorSoon() {
  const t = useTexts('common');
  const locale = useLocale();
  const factor = useLiveFactor(useMaybeScope());
  if (!factor || factor.is_due) return null;
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(
    new Date(factor.due_at),
  );
  return (
    <Alert color="orange" mb="md" role="note">
      {t('live_factor_soon', { date })}{' '}
      <ScopedLink to="/account" underline="always">
        {t('live_factor_set_up')}
      </ScopedLink>
    </Alert>
  );
}
