import { ActionIcon, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Icon } from '../../../parts/value/icon.tsx';
import type { ProcessorAccount } from '../types.ts';
import { useAccountName } from './account-name.ts';
import type { EditedRule } from './rules.ts';
import { useConditionTexts } from './use-condition-texts.ts';

interface Props {
  readonly rule: EditedRule;
  readonly position: number;
  readonly isLast: boolean;
  readonly accounts: readonly ProcessorAccount[];
  /** Why the server refused the rule. */
  readonly problems: readonly string[];
  readonly onMove: (step: -1 | 1) => void;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

/** A rule in words, with its place in the order. */
export function RuleCard(props: Props) {
  const { rule, position, accounts, problems } = props;
  const t = useTexts('processors');
  const accountName = useAccountName(accounts);
  const conditions = useConditionTexts()(rule);
  return (
    <Paper withBorder p="sm" component="li" display="block" aria-label={rule.name}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={2} miw={0} flex="1 1 16rem">
          <Text fw={600}>
            {position}. {rule.name}
          </Text>
          <Text size="sm">
            {conditions.length > 0 ? conditions.join(' · ') : t('every_payment')}
          </Text>
          <Text size="sm" c="dimmed">
            {t('goes_to', { accounts: rule.accounts.map(accountName).join(` ${t('then')} `) })}
          </Text>
        </Stack>
        <RuleButtons {...props} />
      </Group>
      {problems.map((problem) => (
        <Text key={problem} size="sm" c="var(--mantine-color-error)" role="alert" mt="xs">
          {problem}
        </Text>
      ))}
    </Paper>
  );
}

function RuleButtons({ rule, position, isLast, onMove, onEdit, onDelete }: Props) {
  const t = useTexts('processors');
  return (
    <Group gap="xs" wrap="nowrap">
      <ActionIcon
        id={`up-${rule.key}`}
        variant="default"
        size="lg"
        aria-label={t('move_up', { name: rule.name })}
        aria-disabled={position === 1}
        onClick={() => onMove(-1)}
      >
        <Icon name="up" size={16} />
      </ActionIcon>
      <ActionIcon
        id={`down-${rule.key}`}
        variant="default"
        size="lg"
        aria-label={t('move_down', { name: rule.name })}
        aria-disabled={isLast}
        onClick={() => onMove(1)}
      >
        <Icon name="down" size={16} />
      </ActionIcon>
      <Button
        size="xs"
        variant="default"
        aria-label={t('edit_rule', { name: rule.name })}
        onClick={onEdit}
      >
        {t('edit')}
      </Button>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={t('delete_rule', { name: rule.name })}
        onClick={onDelete}
      >
        <Icon name="close" size={16} />
      </ActionIcon>
    </Group>
  );
}
