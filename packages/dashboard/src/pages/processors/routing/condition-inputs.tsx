import { cardNetworks } from '@florin/contract/card/networks.ts';
import { walletKinds } from '@florin/contract/protocol/vault.ts';
import { MultiSelect, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { CodesSelect } from '../../../parts/form/inputs/code-select.tsx';
import { useAmountProblem } from '../../../parts/form/use-amount-problem.ts';
import { alpha2Of, alpha3Of } from './country-codes.ts';
import { type AmountTexts, amountUnitOf, type ReadAmounts } from './rule-amounts.ts';
import type { RuleConditions } from './rules.ts';

interface Props {
  readonly conditions: RuleConditions;
  readonly onChange: (conditions: RuleConditions) => void;
  /** Amounts as the operator types them, and problems to show. */
  readonly amounts: AmountTexts;
  readonly problems: ReadAmounts['problems'];
  readonly onAmounts: (amounts: AmountTexts) => void;
}

/** Inputs of a rule's conditions. An empty one matches every payment. */
export function ConditionInputs(props: Props) {
  const { conditions, onChange } = props;
  const t = useTexts('processors');
  const set = (change: Record<string, readonly string[]>) =>
    onChange({ ...conditions, ...change } as RuleConditions);
  const [initiator = ''] = conditions.initiators?.length === 1 ? conditions.initiators : [];
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <CodesSelect
        type="currency"
        label={t('currencies')}
        values={conditions.currencies ?? []}
        onChange={(currencies) => set({ currencies })}
      />
      <Several
        label={t('networks')}
        options={cardNetworks.map(({ brand }) => brand)}
        values={conditions.networks}
        onChange={(networks) => set({ networks })}
      />
      <CodesSelect
        type="country"
        label={t('issuer_countries')}
        values={(conditions.issuer_countries ?? []).map(alpha3Of)}
        onChange={(codes) => set({ issuer_countries: codes.map(alpha2Of) })}
      />
      <Several
        label={t('wallets')}
        options={walletKinds}
        values={conditions.wallets}
        onChange={(wallets) => set({ wallets })}
      />
      <Amount {...props} name="amount_min" />
      <Amount {...props} name="amount_max" />
      <NativeSelect
        label={t('initiator')}
        value={initiator}
        onChange={({ currentTarget: { value } }) => set({ initiators: value ? [value] : [] })}
        data={[
          { value: '', label: t('any_initiator') },
          { value: 'payer', label: t('by_payer') },
          { value: 'merchant', label: t('by_merchant') },
        ]}
      />
    </SimpleGrid>
  );
}

interface SeveralProps {
  readonly label: string;
  readonly options: readonly string[];
  readonly values: readonly string[] | undefined;
  readonly onChange: (values: readonly string[]) => void;
}

function Several({ label, options, values = [], onChange }: SeveralProps) {
  const names = useNames();
  const t = useTexts('records');
  return (
    <MultiSelect
      label={label}
      data={options.map((value) => ({ value, label: names.value(value) }))}
      value={[...values]}
      onChange={onChange}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('clear', { field: label }) }}
    />
  );
}

interface AmountProps extends Props {
  readonly name: keyof AmountTexts;
}

function Amount({ name, conditions, amounts, problems, onAmounts }: AmountProps) {
  const t = useTexts('processors');
  const problemText = useAmountProblem();
  const { currency, isMixed } = amountUnitOf(conditions.currencies);
  const problem = problems[name];
  return (
    <TextInput
      label={t(name)}
      description={isMixed ? t('amount_mixed_help') : t('amount_help', { currency })}
      inputMode="decimal"
      value={amounts[name]}
      onChange={({ currentTarget }) => onAmounts({ ...amounts, [name]: currentTarget.value })}
      error={problem && problemText(problem, currency)}
    />
  );
}
