import { type LedgerAccount, ledgerAccounts } from '@florin/contract/ledger.ts';
import { LEDGER_SUMMED_MAX, type LedgerTotal } from '@florin/contract/ledger-page.ts';
import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useList } from '../../api/list.ts';
import { numberFormat } from '../../i18n/format-text.ts';
import { useLocale, useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { useAddressSearch } from '../../parts/page/search.ts';
import { useAmountText } from '../../parts/value/money.tsx';
import { DateChip } from '../payments/list/chips/date-chip.tsx';
import { BEFORE, FROM, presetParameters } from '../payments/list/dates.ts';
import { localDay } from '../payments/list/days.ts';
import { LedgerTable, useLedger } from './ledger-table.tsx';

/** Transfers of an account in one currency, with the balance after each. */
export function Ledger() {
  const t = useTexts('balance');
  const balances = useList('balances');
  const currencies = balances.data?.pages.flatMap(({ data }) =>
    data.map(({ attributes }) => attributes.amount_currency),
  );
  return (
    <>
      <PageTitle title={t('transfers')} />
      {balances.error && (
        <ProblemAlert error={balances.error} onRetry={() => void balances.refetch()} />
      )}
      {!balances.error && !currencies && <Loading rows={3} />}
      {currencies && <LedgerOf currencies={currencies} />}
    </>
  );
}

function LedgerOf({ currencies }: { readonly currencies: readonly string[] }) {
  const t = useTexts('balance');
  const [search, changeSearch] = useAddressSearch();
  const currency = currencies.find((it) => it === search.currency) ?? currencies[0] ?? '';
  const account: LedgerAccount = ledgerAccounts.find((it) => it === search.account) ?? 'merchant';
  const dates = { ...search, ...presetParameters(search, localDay(new Date())) };
  const period = { from: dates[FROM], before: dates[BEFORE] };
  const ledger = useLedger({ account, currency, after: search.after, ...period });
  const next = ledger.data?.next;
  if (currency === '') return <Text>{t('transfers_none')}</Text>;
  return (
    <>
      <Group mb="sm" align="end">
        <NativeSelect
          label={t('account')}
          value={account}
          data={ledgerAccounts.map((value) => ({ value, label: t(`account_${value}`) }))}
          onChange={({ currentTarget }) =>
            changeSearch({ account: currentTarget.value, after: '' })
          }
        />
        <NativeSelect
          label={t('currency')}
          value={currency}
          data={[...currencies]}
          onChange={({ currentTarget }) =>
            changeSearch({ currency: currentTarget.value, after: '' })
          }
        />
        <DateChip
          search={search}
          change={(changes) => changeSearch({ ...changes, after: '' })}
          isComparable={false}
        />
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {t(`account_${account}_hint`)}
      </Text>
      <Totals totals={ledger.data?.totals} />
      <LedgerTable ledger={ledger} currency={currency} label={t('transfers')} />
      <Group mt="md">
        {search.after && (
          <Button variant="default" onClick={() => changeSearch({ after: '' })}>
            {t('newest')}
          </Button>
        )}
        {next && (
          <Button variant="default" onClick={() => changeSearch({ after: next })}>
            {t('older')}
          </Button>
        )}
      </Group>
    </>
  );
}

/** Change of the account in the period, in each currency. Null is too many transfers to sum. */
function Totals({ totals }: { readonly totals: readonly LedgerTotal[] | null | undefined }) {
  const t = useTexts('balance');
  const locale = useLocale();
  const textOf = useAmountText();
  if (totals === undefined || totals?.length === 0) return null;
  const text = totals
    ? t('period_total', {
        totals: totals.map((it) => textOf(it.amount_cents, it.currency)).join(' · '),
      })
    : t('period_uncounted', { max: numberFormat(locale).format(LEDGER_SUMMED_MAX) });
  return (
    <Text fw={600} mb="sm" role="status">
      {text}
    </Text>
  );
}
