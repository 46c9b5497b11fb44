import { Group, Paper, Stack, Text } from '@mantine/core';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { DefinitionPairs } from '../../../parts/record/definition-pairs.tsx';
import { StateBadge } from '../../../parts/value/state-badge.tsx';
import type { ProcessorAccount } from '../types.ts';
import { useProcessorName } from '../use-processors.ts';
import { CheckResult, NotificationAddress, TakenPayments } from './account-facts.tsx';
import { RefusedKeyLine } from './refused-key.tsx';
import { RefusedNotificationsLine } from './refused-notifications.tsx';

/** An account in the list. The name leads to the account's page. */
export function AccountCard({ account }: { readonly account: ProcessorAccount }) {
  const t = useTexts('processors');
  const processorName = useProcessorName();
  return (
    <Paper withBorder p="md" component="article" aria-label={account.name}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Stack gap={0}>
            <ScopedLink to={`/operator/processors/${account.id}`} fw={600}>
              {account.name}
            </ScopedLink>
            <Text size="sm" c="dimmed">
              {processorName(account.processor)}
            </Text>
          </Stack>
          <StateBadge state={account.status} />
        </Group>
        <DefinitionPairs
          pairs={[
            ...(account.status === 'removed'
              ? []
              : [
                  { key: 'check', term: t('last_check'), value: <CheckResult account={account} /> },
                ]),
            { key: 'takes', term: t('takes'), value: <TakenPayments account={account} /> },
            {
              key: 'address',
              term: t('notification_address'),
              value: <NotificationAddress account={account} />,
            },
          ]}
        />
        <RefusedKeyLine account={account} />
        <RefusedNotificationsLine account={account} />
      </Stack>
    </Paper>
  );
}
