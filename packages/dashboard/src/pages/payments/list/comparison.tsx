import { type CurrencyFigures, type Figures, SPAN_DAYS_MAX } from '@florin/contract/overview.ts';
import { Paper, Text } from '@mantine/core';
import { useDashboard } from '../../../api/queries.ts';
import { numberFormat } from '../../../i18n/format-text.ts';
import { useLocale, useTexts } from '../../../i18n/use-texts.ts';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { SimpleTable } from '../../../parts/table/simple-table.tsx';
import { useAmountText } from '../../../parts/value/money.tsx';
import { emptyFigures, growthOf } from '../../home/overview.ts';
import type { Span } from '../../home/span.ts';
import { dayCountOf, spanBefore } from './dates.ts';
import { useSpanText } from './span-text.ts';
import { useMayReadRefunds } from './use-may-read-refunds.ts';

interface Props {
  readonly span: Span;
}

/** Approved payments of a period and of as many days before, by currency. */
export function Comparison({ span }: Props) {
  const t = useTexts('payments');
  if (!useMayReadRefunds()) return null;
  if (dayCountOf(span) <= SPAN_DAYS_MAX) return <ComparedFigures span={span} />;
  return <Text c="dimmed">{t('compare_too_long', { days: SPAN_DAYS_MAX })}</Text>;
}

function ComparedFigures({ span }: Props) {
  const t = useTexts('payments');
  const spanText = useSpanText();
  const before = spanBefore(span);
  const [now, earlier] = [useFigures(span), useFigures(before)];
  const rowOf = useRow();
  const error = now.error ?? earlier.error;
  if (error) return <ProblemAlert error={error} />;
  const [figures, earlierFigures] = [now.data?.currencies, earlier.data?.currencies];
  if (!figures || !earlierFigures) return null;
  return (
    <Paper withBorder p="sm">
      {figures.length + earlierFigures.length === 0 ? (
        <Text c="dimmed">{t('compare_none')}</Text>
      ) : (
        <SimpleTable
          label={t('compare_title')}
          heads={[t('currency'), spanText(span), spanText(before), t('compare_change')]}
          rows={currenciesOf(figures, earlierFigures).map((currency) =>
            rowOf(currency, ofOne(figures, currency), ofOne(earlierFigures, currency)),
          )}
        />
      )}
    </Paper>
  );
}

function useFigures({ from, to }: Span) {
  const { timeZone: timezone } = new Intl.DateTimeFormat().resolvedOptions();
  const query = new URLSearchParams({ from, to, timezone });
  return useDashboard<{ readonly currencies: readonly CurrencyFigures[] }>(`overview?${query}`);
}

const currenciesOf = (...periods: readonly (readonly CurrencyFigures[])[]): readonly string[] => [
  ...new Set(periods.flat().map(({ currency }) => currency)),
];

const ofOne = (figures: readonly CurrencyFigures[], wanted: string): Figures =>
  figures.find(({ currency }) => currency === wanted) ?? emptyFigures;

function useRow() {
  const t = useTexts('payments');
  const locale = useLocale();
  const amountText = useAmountText();
  const percent = new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  });
  const textOf = (currency: string, { approved, volume_cents }: Figures) =>
    t('compare_figures', {
      amount: amountText(volume_cents, currency),
      count: numberFormat(locale).format(approved),
    });
  return (currency: string, now: Figures, before: Figures) => {
    const growth = growthOf(Number(now.volume_cents), Number(before.volume_cents));
    const change = growth === undefined ? '–' : percent.format(growth);
    return {
      key: currency,
      cells: [currency, textOf(currency, now), textOf(currency, before), change],
    };
  };
}
