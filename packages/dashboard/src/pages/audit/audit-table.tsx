import { Code, Table } from '@mantine/core';
import { isResourceType, useRegistry } from '../../api/registry.ts';
import { fillIn } from '../../i18n/format-text.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../../parts/page/links.tsx';
import { recordPath } from '../../parts/page/record-path.ts';
import { Id } from '../../parts/value/copyable.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { useMembers } from '../team/use-team.ts';
import { actionKey, typeOf } from './action-key.ts';
import { useNamedRecords } from './use-named-records.ts';

export interface Entry {
  readonly id: string;
  /** Null for a write with an API key. */
  readonly account: { readonly name: string | null; readonly email: string } | null;
  readonly merchant_token: { readonly id: string; readonly name: string } | null;
  readonly mode: 'live' | 'sandbox' | null;
  readonly action: string;
  readonly record_id: string | null;
  /** Whether the created record is a preview; null for other actions, and after its record was removed. */
  readonly dry_run: boolean | null;
  /** HTTP status; null for an aborted request. */
  readonly outcome: number | null;
  readonly ip: string;
  readonly created_at: string;
}

const columns = ['at', 'person', 'action', 'record', 'mode', 'outcome', 'ip'] as const;

/** Log entries, newest first. */
export function AuditTable({ entries }: { readonly entries: readonly Entry[] }) {
  const t = useTexts('audit');
  const recordNames = useNamedRecords(entries);
  return (
    <Table.ScrollContainer minWidth={860}>
      <Table aria-label={t('title')}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th scope="col" key={column}>
                {t(column)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <EntryRow
              key={entry.id}
              entry={entry}
              recordName={recordNames.get(entry.record_id ?? '')}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function EntryRow({ entry, recordName }: RecordProps) {
  const common = useTexts('common');
  const { mode, ip, created_at } = entry;
  return (
    <Table.Tr>
      <Table.Td>
        <Instant at={created_at} />
      </Table.Td>
      <Table.Td title={entry.account?.email}>
        <Actor entry={entry} />
      </Table.Td>
      <Table.Td>
        <Action entry={entry} />
      </Table.Td>
      <Table.Td>
        <ChangedRecord entry={entry} recordName={recordName} />
      </Table.Td>
      <Table.Td>{mode && common(`mode_${mode}`)}</Table.Td>
      <Table.Td>
        <Outcome status={entry.outcome} />
      </Table.Td>
      <Table.Td>{ip}</Table.Td>
    </Table.Tr>
  );
}

interface EntryProps {
  readonly entry: Entry;
}

interface RecordProps extends EntryProps {
  /** Name of the changed record, if it is known. */
  readonly recordName: string | undefined;
}

/** The person, or the API key. */
function Actor({ entry: { account, merchant_token } }: EntryProps) {
  const t = useTexts('audit');
  if (account) return account.name ?? account.email;
  return t('by_key', { name: merchant_token?.name ?? '' });
}

/** Sentence for an action. The route stands in the title, and in place of a sentence if there is none. */
function Action({ entry: { action, record_id, dry_run } }: EntryProps) {
  const t = useTexts('audit');
  const members = useMembers({ former: true }).data ?? [];
  const member = members.find(({ id }) => id === record_id);
  const text = t.find(actionKey(action, dry_run));
  if (!text) return <Code>{action}</Code>;
  const who = member ? (member.name ?? member.email) : t('somebody');
  return <span title={action}>{fillIn(text, { who })}</span>;
}

/** Link to the changed record, if it has a page. */
function ChangedRecord({ entry: { action, record_id }, recordName }: RecordProps) {
  const registry = useRegistry();
  const names = useNames();
  const type = typeOf(action) ?? '';
  if (!record_id) return null;
  const hasPage =
    isResourceType(registry, type) && registry[type].operations.some((name) => name === 'fetch');
  if (!hasPage) return <Id value={record_id} short />;
  return (
    <ScopedLink to={recordPath(type, record_id)}>
      {recordName ?? `${names.type(type)} …${record_id.slice(-8)}`}
    </ScopedLink>
  );
}

const FIRST_REFUSAL = 400;

function Outcome({ status }: { readonly status: number | null }) {
  const t = useTexts('audit');
  if (status === null) return t('unknown');
  return <span title={`HTTP ${status}`}>{t(status < FIRST_REFUSAL ? 'done' : 'refused')}</span>;
}
