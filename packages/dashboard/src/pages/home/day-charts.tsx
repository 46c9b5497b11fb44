import { amountFormat, exponentOf } from '@florin/contract/money.ts';
import type { CurrencyFigures } from '@florin/contract/overview.ts';
import { Paper, SimpleGrid } from '@mantine/core';
import { useLocale, useTexts } from '../../i18n/use-texts.ts';
import { BarChart, LineChart } from '../../parts/chart/chart.tsx';
import { emptyFigures, successOf } from './overview.ts';
import { daysOf, type Span } from './span.ts';

interface Props {
  readonly figures: CurrencyFigures;
  readonly span: Span;
}

/** Volume and success rate by day. Days without payments are included. */
export function DayCharts({ figures, span }: Props) {
  const t = useTexts('home');
  const locale = useLocale();
  const byDay = new Map(figures.days.map((day) => [day.day, day]));
  const percent = new Intl.NumberFormat(locale, { style: 'percent' });
  const short = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  const days = daysOf(span).map((day) => ({
    label: short.format(new Date(day)),
    ...(byDay.get(day) ?? emptyFigures),
  }));
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Paper withBorder p="md">
        <BarChart
          title={t('volume_by_day')}
          heads={[t('day'), t('volume')]}
          format={amountsOf(figures, locale)}
          points={days.map((day) => ({ label: day.label, value: Number(day.volume_cents) }))}
        />
      </Paper>
      <Paper withBorder p="md">
        <LineChart
          title={t('success_by_day')}
          heads={[t('day'), t('success_rate')]}
          format={(value) => percent.format(value)}
          points={days.flatMap((day) => {
            const value = successOf(day);
            return value === undefined ? [] : [{ label: day.label, value }];
          })}
        />
      </Paper>
    </SimpleGrid>
  );
}

/** Amount in major units above which the axis has compact amounts. */
const COMPACT_MIN = 500;

/** Returns a formatter of the amounts of an axis: all compact, such as `$12K`, if one of them is large. */
function amountsOf({ currency, days }: CurrencyFigures, locale: string): (cents: number) => string {
  const exact = amountFormat(currency, locale);
  const unit = 10 ** exponentOf(currency);
  const compact = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    notation: 'compact',
  });
  const isLarge = days.some(({ volume_cents }) => Number(volume_cents) > COMPACT_MIN * unit);
  return (cents) => (isLarge ? compact.format(cents / unit) : exact(String(Math.round(cents))));
}
