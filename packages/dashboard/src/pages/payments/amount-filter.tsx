import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import { decimalOf, minorUnitsOf } from '../../parts/form/amounts.ts';

interface Props {
  readonly label: string;
  /** Minor units, as the address has them. */
  readonly cents: string | undefined;
  readonly currency: string;
  /** As long as nobody has said in which currency. */
  readonly isDisabled: boolean;
  readonly onChange: (cents: string) => void;
}

/** An amount to filter by; it counts when somebody leaves it, or presses Enter. */
export function AmountFilter({ label, cents, currency, isDisabled, onChange }: Props) {
  const t = useTexts('records');
  const payments = useTexts('payments');
  const [typed, setTyped] = useState(cents ? decimalOf(Number(cents), currency) : '');
  const units = typed === '' ? '' : minorUnitsOf(typed, currency);
  const apply = () => {
    if (units !== undefined && String(units) !== (cents ?? '')) onChange(String(units));
  };
  return (
    <TextInput
      label={label}
      value={typed}
      inputMode="decimal"
      disabled={isDisabled}
      {...(isDisabled && { title: payments('amount_currency_first') })}
      w={120}
      error={units === undefined && t('not_an_amount')}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={apply}
      onKeyDown={({ key }) => {
        if (key === 'Enter') apply();
      }}
    />
  );
}
