import { Group, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import { ChoiceBar } from '../../parts/form/choice-bar.tsx';
import { LinkButton } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { useAddressSearch } from '../../parts/page/search.ts';
import { MerchantTable } from './merchant-table.tsx';

/** Delay after typing before the list is read, in milliseconds. */
const PAUSE_MS = 250;
const ONLY = ['all', 'submitted', 'held', 'review_due'] as const;

export function OperatorMerchants() {
  const t = useTexts('operator');
  const common = useTexts('common');
  const [{ only = 'all' }, change] = useAddressSearch();
  const [searchText, setWanted] = useState('');
  const [search] = useDebouncedValue(searchText.trim(), PAUSE_MS);
  return (
    <>
      <PageTitle
        title={t('merchants')}
        actions={<LinkButton to="/new-business">{common('merchant_add')}</LinkButton>}
      />
      <Group align="flex-end" mb="md">
        <TextInput
          label={t('search')}
          type="search"
          maxLength={100}
          value={searchText}
          onChange={({ currentTarget }) => setWanted(currentTarget.value)}
        />
        <ChoiceBar
          label={t('only')}
          value={only}
          onChange={(value) => change({ only: value === 'all' ? '' : value })}
          data={ONLY.map((value) => ({ value, label: t(`only_${value}`) }))}
        />
      </Group>
      <MerchantTable parameters={{ search, only }} isComplete={search === '' && only === 'all'} />
    </>
  );
}

/** Merchants due for review; the longest overdue come first. */
export function OperatorReviews() {
  const t = useTexts('operator');
  return (
    <>
      <PageTitle title={t('reviews')} />
      <MerchantTable parameters={{ only: 'review_due' }} />
    </>
  );
}
