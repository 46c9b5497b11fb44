import { Select } from '@mantine/core';
import { useState } from 'react';
import type { RecordOf } from '../../../api/types.ts';
import { useLocale, useTexts } from '../../../i18n/use-texts.ts';
import { useCustomerSearch } from '../../terminal/payer/use-customer-search.ts';
import { customerLabel } from './customer-label.ts';

interface Props {
  /** Customer of the page, who is not offered. */
  readonly customer: string;
  readonly chosen: RecordOf<'customers'> | undefined;
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** Chooses another customer of this merchant and mode by part of the name or email. */
export function OtherCustomerInput({ customer, chosen, value, onChange }: Props) {
  const t = useTexts('customers');
  const terminal = useTexts('terminal');
  const locale = useLocale();
  const [typed, setTyped] = useState('');
  const isChosenText = chosen !== undefined && typed === customerLabel(chosen, locale);
  const found = useCustomerSearch(isChosenText ? '' : typed);
  const known = [...new Map([...found, ...(chosen ? [chosen] : [])].map((it) => [it.id, it]))];
  return (
    <Select
      label={t('merge_other')}
      placeholder={terminal('customer_search')}
      required
      searchable
      allowDeselect={false}
      openOnFocus={false}
      selectFirstOptionOnChange
      autoComplete="off"
      nothingFoundMessage={terminal('customer_none')}
      data={known
        .filter(([id]) => id !== customer)
        .map(([id, it]) => ({ value: id, label: customerLabel(it, locale) }))}
      filter={({ options }) => options}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      searchValue={typed}
      onSearchChange={setTyped}
    />
  );
}
