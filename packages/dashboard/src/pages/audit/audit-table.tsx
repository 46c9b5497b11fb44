import { Code, Table } from '@mantine/core';
import { useTexts } from '../../i18n/use-texts.ts';
import { Id } from '../../parts/value/copyable.tsx';
import { Instant } from '../../parts/value/instant.tsx';

export interface Entry {
  readonly id: string;
  readonly account: { readonly name: string | null; readonly email: string };
  readonly mode: 'live' | 'sandbox' | null;
  readonly action: string;
  readonly record_id: string | null;
  /** HTTP status; null for an aborted request. */
  readonly outcome: number | null;
  readonly ip: string;
  readonly created_at: string;
}

const columns = ['at', 'person', 'action', 'record', 'mode', 'outcome', 'ip'] as const;

/** Log entries, newest first. */
export function AuditTable({ entries }: { readonly entries: readonly Entry[] }) {
  const t = useTexts('team');
  return (
    <Table.ScrollContainer minWidth={860}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th scope="col" key={column}>
                {column === 'person' ? t('person') : t(`audit_${column}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <EntryRow key={entry.id} entry={entry} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function EntryRow({ entry }: { readonly entry: Entry }) {
  const common = useTexts('common');
  const { account, action, record_id, mode, ip, created_at } = entry;
  return (
    <Table.Tr>
      <Table.Td>
        <Instant at={created_at} />
      </Table.Td>
      <Table.Td title={account.email}>{account.name ?? account.email}</Table.Td>
      <Table.Td>
        <Code>{action}</Code>
      </Table.Td>
      <Table.Td>{record_id && <Id value={record_id} short />}</Table.Td>
      <Table.Td>{mode && common(`mode_${mode}`)}</Table.Td>
      <Table.Td>
        <Outcome status={entry.outcome} />
      </Table.Td>
      <Table.Td>{ip}</Table.Td>
    </Table.Tr>
  );
}

const FIRST_REFUSAL = 400;

function Outcome({ status }: { readonly status: number | null }) {
  const t = useTexts('team');
  if (status === null) return t('audit_unknown');
  return t(status < FIRST_REFUSAL ? 'audit_done' : 'audit_refused', { status });
}
