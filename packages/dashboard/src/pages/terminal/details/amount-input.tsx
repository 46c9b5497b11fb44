import { readAmount } from '@florin/contract/typed-amounts.ts';
import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useLocale, useTexts } from '../../../i18n/use-texts.ts';
import { useAmountProblem } from '../../../parts/form/use-amount-problem.ts';

interface Props {
  readonly label: string;
  readonly amount: string;
  readonly currency: string;
  readonly currencies: readonly string[];
  readonly onChange: (change: { amount?: string; currency?: string }) => void;
  readonly error?: string | undefined;
  /** Whether the input takes the focus, because the button that led here is gone. */
  readonly takesFocus?: boolean;
}

/** An amount in major units with its currency. */
export function AmountInput(props: Props) {
  const { label, amount, currency, currencies, onChange, error, takesFocus } = props;
  const t = useTexts('terminal');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
  return (
    <Group align="flex-start" gap="xs" wrap="nowrap">
      <TextInput
        ref={input}
        label={label}
        required
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        onChange={({ currentTarget }) => onChange({ amount: currentTarget.value })}
        error={error}
        flex="1 1 auto"
        size="md"
      />
      <NativeSelect
        label={t('currency')}
        value={currency}
        onChange={({ currentTarget }) => onChange({ currency: currentTarget.value })}
        data={[...new Set([currency, ...currencies])]}
        size="md"
        flex="0 0 6.5rem"
      />
    </Group>
  );
}

/** Returns a reader of typed amounts: minor units, or the problem in words. */
export function useReadAmount() {
  const t = useTexts('terminal');
  const locale = useLocale();
  const problemText = useAmountProblem();
  return (amount: string, currency: string): { cents: number } | { problem: string } => {
    const read = readAmount(amount, currency, locale);
    if ('problem' in read) return { problem: problemText(read.problem, currency) };
    return read.cents > 0 ? read : { problem: t('amount_zero') };
  };
}
