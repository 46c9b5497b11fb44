import type { PaymentSum } from '@florin/contract/payment-sums.ts';
import { useLocale, useTexts } from '../../i18n/use-texts.ts';
import { SimpleTable } from '../../parts/table/simple-table.tsx';
import { useAmountText } from '../../parts/value/money.tsx';
import { emptyFigures, growthOf } from './overview.ts';

type Currencies = readonly PaymentSum[];

/** Approved payments of two periods by currency. */
export interface ComparedFigures {
  readonly now: Currencies;
  readonly before: Currencies;
}

/** Whether neither period has an approved payment. */
export const isNone = ({ now, before }: ComparedFigures): boolean =>
  now.length + before.length === 0;

interface TableProps {
  readonly label: string;
  readonly figures: ComparedFigures;
  /** Names of the period and of the one before. */
  readonly heads: readonly [string, string];
}

/** Number and amount of approved payments in two periods, with the change of the amount. */
export function ComparedTable({ label, heads, figures }: TableProps) {
  const t = useTexts('home');
  const rowOf = useRow();
  const currencies = new Set([...figures.now, ...figures.before].map(({ currency }) => currency));
  return (
    <SimpleTable
      label={label}
      heads={[t('currency'), ...heads, t('compare_change')]}
      rows={[...currencies].map((currency) =>
        rowOf(currency, ofOne(figures.now, currency), ofOne(figures.before, currency)),
      )}
    />
  );
}

type Sum = Omit<PaymentSum, 'currency'>;

const ofOne = (figures: Currencies, wanted: string): Sum =>
  figures.find(({ currency }) => currency === wanted) ?? emptyFigures;

function useRow() {
  const t = useTexts('home');
  const locale = useLocale();
  const amountText = useAmountText();
  const percent = new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  });
  const textOf = (currency: string, { approved, volume_cents }: Sum) =>
    t.count('compare_figures', approved, { amount: amountText(volume_cents, currency) });
  return (currency: string, now: Sum, before: Sum) => {
    const growth = growthOf(Number(now.volume_cents), Number(before.volume_cents));
    const change = growth === undefined ? '–' : percent.format(growth);
    return {
      key: currency,
      cells: [currency, textOf(currency, now), textOf(currency, before), change],
    };
  };
}
