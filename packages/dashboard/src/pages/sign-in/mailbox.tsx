import { Anchor, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { callDashboard } from '../../api/client.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EmptyState } from '../../parts/feedback/empty-state.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { ScopedLink } from '../../parts/page/links.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { paragraphsOf } from './mail-text.ts';
import { Outside } from './outside.tsx';

interface Email {
  readonly id: string;
  readonly to_email: string;
  readonly subject: string;
  readonly text: string;
  readonly sent_at: string;
}

const POLL_MS = 2_000;

/** Test mailbox of a local server that sends no emails. */
export function SignInMailbox() {
  const t = useTexts('sign-in');
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['mailbox'],
    queryFn: ({ signal }) => callDashboard<{ data: readonly Email[] }>('mailbox', { signal }),
    refetchInterval: POLL_MS,
  });
  return (
    <Outside title={t('mailbox_title')}>
      <Text size="sm">{t('mailbox_hint')}</Text>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading rows={3} />}
      {data?.data.length === 0 && <EmptyState title={t('mailbox_empty')} />}
      {data?.data.map((email) => (
        <EmailView key={email.id} email={email} />
      ))}
      <ScopedLink to="/sign-in">{t('to_sign_in')}</ScopedLink>
    </Outside>
  );
}

function EmailView({ email }: { readonly email: Email }) {
  return (
    <Paper withBorder p="sm" component="article">
      <Stack gap={4}>
        <Title order={2} size="h5">
          {email.subject}
        </Title>
        <Text size="xs" c="dimmed">
          {email.to_email} · <Instant at={email.sent_at} />
        </Text>
        {paragraphsOf(email.text).map(({ text, url }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an email never changes, and its paragraphs may be equal.
          <Text size="sm" key={index}>
            {url ? <Anchor href={url}>{text}</Anchor> : text}
          </Text>
        ))}
      </Stack>
    </Paper>
  );
}
