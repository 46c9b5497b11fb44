import { decimalOf, readAmount } from '@florin/contract/typed-amounts.ts';
import { Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useLocale, useTexts } from '../../../../i18n/use-texts.ts';
import { CodeSelect } from '../../../../parts/form/inputs/code-select.tsx';
import { useAmountProblem } from '../../../../parts/form/use-amount-problem.ts';
import { FilterChip } from '../../../../parts/table/filter/filter-chip.tsx';
import { currencyAmong } from '../../../../parts/table/filter/filters.ts';
import { useAmountText } from '../../../../parts/value/money.tsx';
import { type ChipProps, CURRENCY, MAX, MIN } from './types.ts';

/** Currency of a new amount filter if the address has none. */
const USUAL_CURRENCY = 'USD';

/** Filter by a least and a greatest amount of one currency. */
export function AmountChip(props: ChipProps) {
  const { search, change } = props;
  const t = useTexts('payments');
  return (
    <FilterChip
      label={t('amount')}
      value={useAmountRange(props)}
      onRemove={() => change({ [MIN]: '', [MAX]: '' })}
    >
      {(close) => (
        <AmountForm
          search={search}
          change={(changes) => {
            close();
            change(changes);
          }}
        />
      )}
    </FilterChip>
  );
}

function useAmountRange({ search }: ChipProps): string | undefined {
  const t = useTexts('payments');
  const amountText = useAmountText();
  const currency = currencyAmong(search, 'amount_currency') ?? '';
  const [min, max] = [search[MIN], search[MAX]].map((cents) => {
    if (cents === undefined || !/^\d+$/.test(cents) || !/^[A-Z]{3}$/i.test(currency)) return cents;
    return amountText(cents, currency);
  });
  if (min !== undefined && max !== undefined) return `${min} – ${max}`;
  if (min !== undefined) return t('amount_above', { amount: min });
  return max === undefined ? undefined : t('amount_below', { amount: max });
}

function AmountForm({ search, change }: ChipProps) {
  const t = useTexts('payments');
  const records = useTexts('records');
  const [currency, setCurrency] = useState(
    currencyAmong(search, 'amount_currency') ?? USUAL_CURRENCY,
  );
  const least = useAmountInput(search[MIN], currency);
  const most = useAmountInput(search[MAX], currency);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (least.cents === undefined || most.cents === undefined) return;
    change({ [CURRENCY]: currency, [MIN]: least.cents, [MAX]: most.cents });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <CodeSelect
          type="currency"
          label={t('currency')}
          value={currency}
          onChange={(code) => code && setCurrency(code)}
          isWithin
        />
        <TextInput label={t('amount_min')} {...least.props} />
        <TextInput label={t('amount_max')} {...most.props} />
        <Button type="submit">{records('filter_apply')}</Button>
      </Stack>
    </form>
  );
}

/** An amount as typed. `cents` is text for the address: empty without an amount, undefined for a wrong one. */
function useAmountInput(initialCents: string | undefined, currency: string) {
  const locale = useLocale();
  const amountProblem = useAmountProblem();
  const [typed, setTyped] = useState(
    initialCents ? decimalOf(Number(initialCents), currency, locale) : '',
  );
  const amount = typed === '' ? { cents: '' } : readAmount(typed, currency, locale);
  return {
    cents: 'cents' in amount ? String(amount.cents) : undefined,
    props: {
      value: typed,
      inputMode: 'decimal',
      error: 'problem' in amount && amountProblem(amount.problem, currency),
      onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
        setTyped(currentTarget.value),
    } as const,
  };
}
