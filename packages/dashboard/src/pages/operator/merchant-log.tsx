import { Stack, Table, Text } from '@mantine/core';
import { useTexts } from '../../i18n/use-texts.ts';
import { Section } from '../../parts/record/section.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { StateBadge } from '../../parts/value/state-badge.tsx';
import type { EnforcementActionEntry, MerchantDetail } from './types.ts';
import { WideTable } from './wide-table.tsx';

interface Props {
  readonly merchant: MerchantDetail;
}

/** Enforcement actions against a merchant, with the times when they were lifted. */
export function MerchantEnforcement({ merchant: { measures } }: Props) {
  const t = useTexts('operator');
  return (
    <Section title={t('measures')}>
      {measures.length === 0 ? (
        <Text c="dimmed">{t('no_measures')}</Text>
      ) : (
        <WideTable
          label={t('measures')}
          minWidth={520}
          columns={[t('measure'), t('mode'), t('state'), t('from_until')]}
        >
          {measures.map((entry) => (
            <EnforcementActionRow key={entry.id} measure={entry} />
          ))}
        </WideTable>
      )}
    </Section>
  );
}

function EnforcementActionRow({ measure: entry }: { readonly measure: EnforcementActionEntry }) {
  const t = useTexts('operator');
  const isInForce = entry.status === 'in_force';
  return (
    <Table.Tr>
      <Table.Td>
        {entry.action === 'ban' ? t('ban') : t('quarantine')}
        <Text size="xs" c="dimmed">
          {entry.reason}
        </Text>
      </Table.Td>
      <Table.Td>{t(entry.mode)}</Table.Td>
      <Table.Td>
        <StateBadge state={entry.status} tone={isInForce ? 'bad' : 'neutral'} />
      </Table.Td>
      <Table.Td>
        <Instant at={entry.created_at} />
        {entry.lifted_at && (
          <>
            {' – '}
            <Instant at={entry.lifted_at} />
          </>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** Operators' actions on a merchant with their reasons, newest first. */
export function MerchantLog({ merchant: { entries } }: Props) {
  const t = useTexts('operator');
  return (
    <Section title={t('log')}>
      {entries.length === 0 && <Text c="dimmed">{t('no_entries')}</Text>}
      <Stack component="ol" gap="sm" m={0} p={0}>
        {entries.map(({ id, kind, mode, reason, account_email, created_at }) => (
          <Stack component="li" gap={0} key={id} display="flex">
            <Text fw={600}>
              {t.find(`log_${kind}`) ?? kind}
              {mode && ` · ${t(mode)}`}
            </Text>
            <Text size="sm">{reason}</Text>
            <Text size="xs" c="dimmed">
              {account_email} · <Instant at={created_at} />
            </Text>
          </Stack>
        ))}
      </Stack>
    </Section>
  );
}
