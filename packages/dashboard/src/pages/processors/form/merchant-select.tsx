import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useDashboard } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import type { MerchantSummary } from '../../operator/types.ts';

interface Props {
  readonly value: string;
  /** Name of the selected merchant, if it is known. */
  readonly name?: string | null;
  readonly onChange: (id: string) => void;
  readonly label: string;
  readonly description?: string;
  readonly error?: ReactNode;
}

/** Delay after typing before merchants are searched, in milliseconds. */
const PAUSE_MS = 250;

/** Selects a merchant by name, email or id. Empty: all merchants. */
export function MerchantSelect({ value, name, onChange, ...shown }: Props) {
  const t = useTexts('processors');
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState({ value, label: name ?? value });
  const [search] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const query = new URLSearchParams({ search: search === chosen.label ? '' : search });
  const found = useDashboard<{ data: readonly MerchantSummary[] }>(`operator/merchants?${query}`, {
    enabled: isOpen,
  });
  const choices = (found.data?.data ?? []).map(({ id, business_name }) => ({
    value: id,
    label: business_name ?? id,
  }));
  const isKnown = value === '' || choices.some((choice) => choice.value === value);
  return (
    <Select
      {...shown}
      placeholder={t('all_merchants')}
      data={isKnown ? choices : [chosen, ...choices]}
      value={value || null}
      onChange={(id, option) => {
        if (id) setChosen({ value: id, label: option?.label ?? id });
        onChange(id ?? '');
      }}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('all_merchants') }}
      filter={({ options }) => options}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpen(true)}
      nothingFoundMessage={found.isFetching ? t('searching') : t('nothing_found')}
      autoComplete="off"
    />
  );
}
