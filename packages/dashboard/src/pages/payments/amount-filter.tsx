import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocale, useTexts } from '../../i18n/use-texts.ts';
import { decimalOf, readAmount } from '../../parts/form/amounts.ts';
import { useAmountProblem } from '../../parts/form/use-amount-problem.ts';

interface Props {
  readonly label: string;
  /** Amount of the filter in minor units, as in the address. */
  readonly cents: string | undefined;
  readonly currency: string;
  /** Whether the input is disabled; true until a currency is chosen. */
  readonly isDisabled: boolean;
  readonly onChange: (cents: string) => void;
}

/** Input for an amount filter. The filter applies on blur and on Enter. */
export function AmountFilter({ label, cents, currency, isDisabled, onChange }: Props) {
  const t = useTexts('payments');
  const locale = useLocale();
  const amountProblem = useAmountProblem();
  const [typed, setTyped] = useState(cents ? decimalOf(Number(cents), currency, locale) : '');
  const amount = typed === '' ? { cents: '' } : readAmount(typed, currency, locale);
  const apply = () => {
    if ('cents' in amount && String(amount.cents) !== (cents ?? '')) onChange(String(amount.cents));
  };
  return (
    <TextInput
      label={label}
      value={typed}
      inputMode="decimal"
      disabled={isDisabled}
      {...(isDisabled && { title: t('amount_currency_first') })}
      w={120}
      error={'problem' in amount && amountProblem(amount.problem, currency)}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={apply}
      onKeyDown={({ key }) => {
        if (key === 'Enter') apply();
      }}
    />
  );
}
