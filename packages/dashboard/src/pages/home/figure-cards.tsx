import type { Figures } from '@florin/contract/overview.ts';
import { SimpleGrid } from '@mantine/core';
import { useLocale, useTexts } from '../../i18n/use-texts.ts';
import { StatCard } from '../../parts/chart/stat-card.tsx';
import { Money } from '../../parts/value/money.tsx';
import { growthOf, successOf } from './overview.ts';

interface Props {
  readonly currency: string;
  readonly figures: Figures;
  /** Figures of the previous period, which has the same length. */
  readonly previousFigures: Figures | undefined;
}

/** Key figures, compared with the previous period. */
export function FigureCards({ currency, figures, previousFigures }: Props) {
  const t = useTexts('home');
  const number = new Intl.NumberFormat(useLocale());
  const change = useChange();
  const successRate = successOf(figures);
  const count = (figures: Figures) => figures.approved + figures.declined;
  const hintOf = (rateOf: (figures: Figures) => number) =>
    previousFigures && change(rateOf(figures), rateOf(previousFigures));
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
      <StatCard
        label={t('volume')}
        value={<Money cents={figures.volume_cents} currency={currency} />}
        hint={hintOf(({ volume_cents }) => Number(volume_cents))}
      />
      <StatCard label={t('payments')} value={number.format(count(figures))} hint={hintOf(count)} />
      <StatCard
        label={t('success_rate')}
        value={useRate(successRate)}
        hint={t('approved_declined', {
          approved: number.format(figures.approved),
          declined: number.format(figures.declined),
        })}
      />
      <StatCard
        label={t('refunded')}
        value={<Money cents={figures.refunded_cents} currency={currency} />}
        hint={t.count('refunds', figures.refunds)}
      />
    </SimpleGrid>
  );
}

/** Formats a ratio (0 to 1) in percent; a dash for undefined. */
export function useRate(rate: number | undefined): string {
  const percent = new Intl.NumberFormat(useLocale(), {
    style: 'percent',
    maximumFractionDigits: 1,
  });
  return rate === undefined ? '–' : percent.format(rate);
}

function useChange(): (now: number, before: number) => string {
  const t = useTexts('home');
  const percent = new Intl.NumberFormat(useLocale(), {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  });
  return (now, before) => {
    const growth = growthOf(now, before);
    return growth === undefined
      ? t('nothing_before')
      : t('than_before', { change: percent.format(growth) });
  };
}
