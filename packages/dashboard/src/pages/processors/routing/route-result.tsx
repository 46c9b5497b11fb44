import { Group, List, Paper, Stack, Text } from '@mantine/core';
import { useTexts } from '../../../i18n/use-texts.ts';
import { StateBadge } from '../../../parts/value/state-badge.tsx';
import type { ProcessorAccount } from '../types.ts';
import { useAccountName } from './account-name.ts';

/** Accounts for a payment in order, and those that cannot take it. */
export interface Route {
  /** Name of the rule that decided; null without a matching rule. */
  readonly rule: string | null;
  readonly candidates: readonly string[];
  /** Outcomes of the first account after which the second is asked. */
  readonly fallback: 'none' | 'not_sent' | 'declined';
  readonly refused: readonly { readonly account: string; readonly why: string }[];
}

interface Props {
  readonly route: Route;
  readonly accounts: readonly ProcessorAccount[];
}

/** A route in words. */
export function RouteResult({ route, accounts }: Props) {
  const t = useTexts('processors');
  const nameOf = useAccountName(accounts);
  const { rule, candidates, fallback, refused } = route;
  const [first, second] = candidates;
  return (
    <Paper withBorder p="md" mt="md">
      <Stack gap="xs">
        <Group gap="xs">
          <StateBadge state={first ? 'accepted' : 'refused'} />
          <Text fw={600}>
            {first ? t('takes_it', { account: nameOf(first) }) : t('nobody_takes_it')}
          </Text>
        </Group>
        <Text size="sm">{rule === null ? t('no_rule_matches') : t('rule_matches', { rule })}</Text>
        {!first && <Text size="sm">{t('refused_payment')}</Text>}
        {second && <Text size="sm">{t(`second_${fallback}`, { account: nameOf(second) })}</Text>}
        {refused.length > 0 && (
          <List size="sm">
            {refused.map(({ account, why }) => (
              <List.Item key={account}>
                {t('refuses', { account: nameOf(account), why: t.find(`why_${why}`) ?? why })}
              </List.Item>
            ))}
          </List>
        )}
      </Stack>
    </Paper>
  );
}
