import { Alert, Button, Code, Table } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import { useDashboard } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { useParameter } from '../../../parts/page/search.ts';
import { Section } from '../../../parts/record/section.tsx';
import { Copyable } from '../../../parts/value/copyable.tsx';
import { Instant } from '../../../parts/value/instant.tsx';
import { JsonView } from '../../../parts/value/json-view.tsx';
import { StateBadge } from '../../../parts/value/state-badge.tsx';
import { OrderDialog } from '../../operator/order-dialog.tsx';
import { WideTable } from '../../operator/wide-table.tsx';
import { RecordFacts } from '../record-facts.tsx';
import { RecordFrame } from '../record-frame.tsx';
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
  return (
    <>
      <RecordFrame
        query={query}
        list={{ to: '/operator/notifications', title: t('notifications') }}
        title={() => t('notification')}
        actions={() => (
          <Button variant="default" onClick={() => setOpen(true)}>
            {t('replay')}
          </Button>
        )}
      >
        {(notification) => <Parts notification={notification} />}
      </RecordFrame>
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
    <>
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
    </>
  );
}

function Arrival({ notification }: Props) {
  const t = useTexts('processors');
  const { processor_account_id, received_at, tries, due_at } = notification;
  const accounts = useProcessorAccounts().data?.data ?? [];
  const account = accounts.find(({ id }) => id === processor_account_id);
  return (
    <RecordFacts
      record={notification}
      account={account?.name}
      received_at={received_at}
      pairs={[
        ...replayOf(notification).map((value) => ({
          key: 'replayed',
          term: t('replayed'),
          value,
        })),
        { key: 'tries', term: t('tries'), value: tries },
        {
          key: 'due',
          term: t('next_try'),
          value: due_at ? <Instant at={due_at} seconds /> : t('no_try'),
        },
      ]}
    />
  );
}

/** Time and person of the last replay; nothing without one. */
const replayOf = ({ replayed_at, replayed_by_email }: NotificationDetail): ReactNode[] =>
  replayed_at
    ? [
        <Fragment key="replay">
          <Instant at={replayed_at} seconds /> · {replayed_by_email ?? '–'}
        </Fragment>,
      ]
    : [];

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
  if (json !== undefined) return <JsonView value={json} label={`${t('body')}: JSON`} />;
  return (
    <Code block tabIndex={0} role="group" aria-label={t('body')}>
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
