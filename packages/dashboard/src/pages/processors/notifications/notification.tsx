import { Alert, Breadcrumbs, Button, Code, Stack, Table } from '@mantine/core';
import { useState } from 'react';
import { useDashboard } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Loading } from '../../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { useParameter } from '../../../parts/page/search.ts';
import { DefinitionPairs } from '../../../parts/record/definition-pairs.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { Copyable, Id } from '../../../parts/value/copyable.tsx';
import { Instant } from '../../../parts/value/instant.tsx';
import { JsonView } from '../../../parts/value/json-view.tsx';
import { StateBadge } from '../../../parts/value/state-badge.tsx';
import { OrderDialog } from '../../operator/order-dialog.tsx';
import { WideTable } from '../../operator/wide-table.tsx';
import { useProcessorAccounts } from '../use-processors.ts';
import type { FactOutcome, NotificationDetail } from './types.ts';

/** A processor's message: its facts, what each did, and the text as it arrived. */
export function ProcessorNotification() {
  const t = useTexts('processors');
  const id = useParameter('id');
  const [isOpen, setOpen] = useState(false);
  const query = useDashboard<{ data: NotificationDetail }>(
    `operator/processor_notifications/${id}`,
  );
  const notification = query.data?.data;
  return (
    <>
      <Breadcrumbs mb="xs">
        <ScopedLink to="/operator/notifications">{t('notifications')}</ScopedLink>
      </Breadcrumbs>
      <PageTitle
        title={t('notification')}
        aside={notification && <StateBadge state={notification.status} />}
        actions={
          notification && (
            <Button variant="default" onClick={() => setOpen(true)}>
              {t('replay')}
            </Button>
          )
        }
      />
      {query.error && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loading />}
      {notification && <Parts notification={notification} />}
      <OrderDialog
        isOpen={isOpen}
        isPlain
        onClose={() => setOpen(false)}
        title={t('replay')}
        text={t('replay_text')}
        path={`processor_notifications/${id}/replay`}
      />
    </>
  );
}

interface Props {
  readonly notification: NotificationDetail;
}

function Parts({ notification }: Props) {
  const t = useTexts('processors');
  const advice = t.find(`advice_${notification.status}`);
  return (
    <Stack gap="lg">
      {advice && (
        <Alert color="orange" role="note">
          {advice}
        </Alert>
      )}
      <Arrival notification={notification} />
      <FactTable outcomes={notification.outcomes} />
      <Section title={t('body')}>
        <Body text={notification.body} />
      </Section>
    </Stack>
  );
}

function Arrival({ notification }: Props) {
  const t = useTexts('processors');
  const { id, processor_account_id, received_at, replayed_at, tries, due_at, mode } = notification;
  const accounts = useProcessorAccounts().data?.data ?? [];
  const account = accounts.find((candidate) => candidate.id === processor_account_id);
  return (
    <Section title={t('overview')}>
      <DefinitionPairs
        pairs={[
          {
            key: 'account',
            term: t('account'),
            value: (
              <ScopedLink to={`/operator/processors/${processor_account_id}`}>
                {account?.name ?? processor_account_id}
              </ScopedLink>
            ),
          },
          { key: 'mode', term: t('mode'), value: t(mode) },
          { key: 'received', term: t('received'), value: <Instant at={received_at} seconds /> },
          ...(replayed_at
            ? [
                {
                  key: 'replayed',
                  term: t('replayed'),
                  value: (
                    <>
                      <Instant at={replayed_at} seconds /> · {notification.replayed_by_email ?? '–'}
                    </>
                  ),
                },
              ]
            : []),
          { key: 'tries', term: t('tries'), value: tries },
          {
            key: 'due',
            term: t('next_try'),
            value: due_at ? <Instant at={due_at} seconds /> : t('no_try'),
          },
          { key: 'id', term: t('id'), value: <Id value={id} /> },
        ]}
      />
    </Section>
  );
}

const NARROWEST_PX = 480;

function FactTable({ outcomes }: { readonly outcomes: readonly FactOutcome[] }) {
  const t = useTexts('processors');
  if (outcomes.length === 0) return undefined;
  return (
    <Section title={t('facts')}>
      <WideTable
        label={t('facts')}
        minWidth={NARROWEST_PX}
        columns={[t('fact'), t('effect'), t('key')]}
      >
        {outcomes.map(({ kind, key, effect }) => (
          <Table.Tr key={`${kind} ${key}`}>
            <Table.Td>{t.find(`fact_${kind}`) ?? kind}</Table.Td>
            <Table.Td>
              <StateBadge state={effect} />
            </Table.Td>
            <Table.Td>
              <Copyable value={key} />
            </Table.Td>
          </Table.Tr>
        ))}
      </WideTable>
    </Section>
  );
}

/** JSON is formatted; any other body is shown as it arrived. */
function Body({ text }: { readonly text: string }) {
  const t = useTexts('processors');
  const json = parseJson(text);
  if (json !== undefined) return <JsonView value={json} label={t('body')} />;
  return (
    <Code block tabIndex={0} role="region" aria-label={t('body')}>
      {text}
    </Code>
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
