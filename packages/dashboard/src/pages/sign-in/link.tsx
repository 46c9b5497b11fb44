import { Alert, Button, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { callDashboard } from '../../api/client.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { ScopedLink } from '../../parts/page/links.tsx';
import { ChooseForm } from './choose-form.tsx';
import { Outside } from './outside.tsx';
import type { NameAndPassword } from './types.ts';
import { useEnter } from './use-enter.ts';

/** Purpose of an emailed link. */
export interface LinkContent {
  readonly purpose: 'verify_email' | 'reset_password' | 'invitation' | 'change_email' | 'operator';
  readonly email: string;
  readonly business_name: string | null;
  readonly is_new: boolean;
  readonly is_signed_in: boolean;
}

/** Options of a request that is never repeated: the server rate-limits attempts and refuses a used token. */
const readOnce = {
  retry: false,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;

/** Page that emailed links open. The token follows the `#`, which browsers do not send to servers. */
export function LinkPage() {
  const t = useTexts('sign-in');
  const [token] = useState(() => location.hash.slice(1));
  const contentQuery = useQuery({
    queryKey: ['link', token],
    queryFn: () => callDashboard<LinkContent>('links/look', { method: 'POST', body: { token } }),
    enabled: token !== '',
    ...readOnce,
  });
  const title = contentQuery.data ? t(`link_${contentQuery.data.purpose}`) : t('link_title');
  return (
    <Outside title={title}>
      {token === '' && <Alert color="red">{t('link_cut')}</Alert>}
      {contentQuery.isLoading && <Loading rows={3} />}
      {contentQuery.error && <ProblemAlert error={contentQuery.error} />}
      {contentQuery.data && <LinkDetails content={contentQuery.data} token={token} />}
      <ScopedLink to="/sign-in">{t('to_sign_in')}</ScopedLink>
    </Outside>
  );
}

interface LinkDetailsProps {
  readonly content: LinkContent;
  readonly token: string;
}

function LinkDetails({ content, token }: LinkDetailsProps) {
  const t = useTexts('sign-in');
  const linkUse = useLink(token);
  const { purpose, email, business_name, is_new, is_signed_in } = content;
  const needsPassword = purpose === 'reset_password' || (is_new && purpose !== 'change_email');
  const values = { email, business: business_name ?? 'Florin' };
  if (linkUse.isSuccess && !linkUse.data.signed_in) return <Done purpose={purpose} />;
  if (purpose === 'change_email' && !is_signed_in) {
    return <Alert color="blue">{t('link_change_email_first', values)}</Alert>;
  }
  if (purpose === 'invitation' && !is_new && !is_signed_in) {
    return <Alert color="blue">{t('link_sign_in_first', values)}</Alert>;
  }
  return (
    <>
      <Text size="sm">{t(`link_${purpose}_hint`, values)}</Text>
      {linkUse.error && !needsPassword && <ProblemAlert error={linkUse.error} />}
      {needsPassword ? (
        <ChooseForm
          email={email}
          needsName={is_new}
          error={linkUse.error}
          isPending={linkUse.isPending}
          onChosen={linkUse.mutate}
        />
      ) : (
        <Button onClick={() => linkUse.mutate({})} loading={linkUse.isPending}>
          {t(`link_${purpose}_do`)}
        </Button>
      )}
    </>
  );
}

function useLink(token: string) {
  const enter = useEnter();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (chosen: NameAndPassword) =>
      callDashboard<{ signed_in: boolean; merchant: string | null }>('links/use', {
        method: 'POST',
        body: { token, ...chosen },
      }),
    onSuccess: async ({ signed_in, merchant }) => {
      // Removes the used token from the browser's history.
      history.replaceState(history.state, '', location.pathname);
      if (!signed_in) return;
      await enter();
      if (!merchant) await navigate({ to: '/new-business' });
    },
  });
}

function Done({ purpose }: Pick<LinkContent, 'purpose'>) {
  const t = useTexts('sign-in');
  return (
    <Alert role="status" color="teal">
      {t(`link_${purpose}_done`)}
    </Alert>
  );
}
