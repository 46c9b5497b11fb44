import type { PaymentSums } from '@florin/contract/payment-sums.ts';
import { Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { type Parameters, useDashboard } from '../../../api/queries.ts';
import { useLocale, useTexts } from '../../../i18n/use-texts.ts';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { type ComparedFigures, ComparedTable, isNone } from '../../home/compared-figures.tsx';
import { useSpanText } from '../../home/span-text.ts';
import { type ComparedPeriods, comparedPeriods, type Period } from './compared-periods.ts';
import { BEFORE, FROM } from './dates.ts';
import { queryOfList } from './list-tabs.tsx';

interface Props {
  /** Address of the list. */
  readonly search: Parameters;
}

/** Approved payments of the list in its period and in as many days before, by currency. Nothing without both ends. */
export function Comparison({ search }: Props) {
  const [now] = useState(() => new Date());
  const periods = comparedPeriods(search, now);
  return periods && <Sums search={search} periods={periods} />;
}

interface SumsProps extends Props {
  readonly periods: ComparedPeriods;
}

function Sums({ search, periods }: SumsProps) {
  const t = useTexts('payments');
  const [now, before] = [useSums(search, periods.now), useSums(search, periods.before)];
  const error = now.error ?? before.error;
  if (error) return <ProblemAlert error={error} />;
  if (!now.data || !before.data) return null;
  if (!now.data.is_complete || !before.data.is_complete)
    return <Text c="dimmed">{t('compare_too_many')}</Text>;
  const figures = { now: now.data.currencies, before: before.data.currencies };
  return (
    <Paper withBorder p="sm">
      {isNone(figures) ? (
        <Text c="dimmed">{t('compare_none')}</Text>
      ) : (
        <Table figures={figures} periods={periods} />
      )}
    </Paper>
  );
}

const useSums = (search: Parameters, { from, until }: Period) =>
  useDashboard<PaymentSums>(
    `payments/sums?${queryOfList({ ...search, [FROM]: from, [BEFORE]: until })}`,
  );

interface TableProps {
  readonly figures: ComparedFigures;
  readonly periods: ComparedPeriods;
}

function Table({ figures, periods }: TableProps) {
  const t = useTexts('payments');
  const spanText = useSpanText();
  const time = new Intl.DateTimeFormat(useLocale(), { timeStyle: 'short' });
  return (
    <>
      <ComparedTable
        label={t('compare_title')}
        figures={figures}
        heads={[spanText(periods.now.span), spanText(periods.before.span)]}
      />
      {periods.cut_at && (
        <Text size="sm" c="dimmed">
          {t('compare_same_time', { time: time.format(periods.cut_at) })}
        </Text>
      )}
    </>
  );
}
