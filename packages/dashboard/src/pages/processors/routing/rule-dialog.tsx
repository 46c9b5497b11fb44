import { Button, Group, MultiSelect, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Mode } from '../../../api/types.ts';
import { useLocale, useTexts } from '../../../i18n/use-texts.ts';
import { DialogFrame } from '../../../parts/form/dialog-frame.tsx';
import { MerchantSelect } from '../form/merchant-select.tsx';
import type { ProcessorAccount } from '../types.ts';
import { useAccountName } from './account-name.ts';
import { ConditionInputs } from './condition-inputs.tsx';
import { amountTextsOf, readRuleAmounts } from './rule-amounts.ts';
import { type EditedRule, NETWORK, usedConditions } from './rules.ts';

interface Props {
  readonly mode: Mode;
  readonly rule: EditedRule;
  readonly accounts: readonly ProcessorAccount[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDone: (rule: EditedRule) => void;
}

const NAME_MAX = 100;
const FALLBACKS = ['none', 'not_sent', 'declined'] as const;

/** Edits one rule. The list is saved later as a whole. */
export function RuleDialog(props: Props) {
  const t = useTexts('processors');
  const { rule, isOpen, onClose } = props;
  return (
    <DialogFrame
      isOpen={isOpen}
      onClose={onClose}
      isWide
      title={rule.name ? t('edit_rule', { name: rule.name }) : t('add_rule')}
    >
      <RuleForm {...props} />
    </DialogFrame>
  );
}

function RuleForm({ mode, rule: given, accounts, onClose, onDone }: Props) {
  const t = useTexts('processors');
  const [rule, setRule] = useState(given);
  const locale = useLocale();
  const [amountTexts, setAmountTexts] = useState(() => amountTextsOf(given.conditions, locale));
  const [wasSent, setSent] = useState(false);
  const set = (change: Partial<EditedRule>) => setRule((before) => ({ ...before, ...change }));
  const missing = (isMissing: boolean) => wasSent && isMissing && t('required');
  const { amounts, problems } = readRuleAmounts(amountTexts, rule.conditions.currencies, locale);
  const done = () => {
    setSent(true);
    const hasProblem = Object.keys(problems).length > 0;
    if (rule.name.trim() === '' || rule.accounts.length === 0 || hasProblem) return;
    const { amount_min: _min, amount_max: _max, ...others } = rule.conditions;
    const conditions = usedConditions({ ...others, ...amounts });
    onDone({ ...rule, name: rule.name.trim(), conditions });
  };
  return (
    <Stack>
      <TextInput
        label={t('rule_name')}
        required
        maxLength={NAME_MAX}
        data-autofocus
        value={rule.name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        error={missing(rule.name.trim() === '')}
      />
      <Text size="sm" c="dimmed">
        {t('conditions_text')}
      </Text>
      <ConditionInputs
        conditions={rule.conditions}
        onChange={(conditions) => set({ conditions })}
        amounts={amountTexts}
        problems={wasSent ? problems : {}}
        onAmounts={setAmountTexts}
      />
      <MerchantSelect
        label={t('merchant')}
        value={rule.merchant_id ?? ''}
        onChange={(id) => set({ merchant_id: id || null })}
      />
      <AccountsInput
        mode={mode}
        accounts={accounts}
        merchant_id={rule.merchant_id}
        values={rule.accounts}
        onChange={(values) => set({ accounts: values })}
        error={missing(rule.accounts.length === 0)}
      />
      {rule.accounts.length > 1 && (
        <NativeSelect
          label={t('fallback')}
          value={rule.fallback ?? 'not_sent'}
          onChange={({ currentTarget }) => set({ fallback: currentTarget.value })}
          data={FALLBACKS.map((value) => ({ value, label: t(`fallback_${value}`) }))}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button onClick={done}>{t('apply')}</Button>
      </Group>
    </Stack>
  );
}

interface AccountsProps {
  readonly mode: Mode;
  readonly accounts: readonly ProcessorAccount[];
  readonly merchant_id: string | null;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  readonly error: string | false;
}

/** Selects accounts in order of preference. Only accounts that the rule's merchants may use are offered. */
function AccountsInput({ mode, accounts, merchant_id, values, onChange, error }: AccountsProps) {
  const t = useTexts('processors');
  const nameOf = useAccountName(accounts);
  const usable = accounts.filter(
    (account) =>
      account.status !== 'removed' &&
      (account.merchant_id === null || account.merchant_id === merchant_id),
  );
  const ids = [...usable.map(({ id }) => id), ...(mode === 'sandbox' ? [NETWORK] : [])];
  const all = [...new Set([...ids, ...values])];
  return (
    <MultiSelect
      label={t('rule_accounts')}
      description={t('rule_accounts_help')}
      required
      data={all.map((id) => ({ value: id, label: nameOf(id) }))}
      value={[...values]}
      onChange={onChange}
      error={error}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('clear_accounts') }}
      nothingFoundMessage={t('no_accounts')}
    />
  );
}
