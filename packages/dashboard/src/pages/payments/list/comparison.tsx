import { SPAN_DAYS_MAX } from '@florin/contract/overview.ts';
import { Paper, Text } from '@mantine/core';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { ComparedTable, isNone, useCompared } from '../../home/compared-figures.tsx';
import type { Span } from '../../home/span.ts';
import { useMayReadRefunds } from '../../home/use-may-read-refunds.ts';
import { dayCountOf, spanBefore } from './dates.ts';

interface Props {
  readonly span: Span;
}

/** Approved payments of a period and of as many days before, by currency. */
export function Comparison({ span }: Props) {
  const t = useTexts('payments');
  if (!useMayReadRefunds()) return null;
  if (dayCountOf(span) <= SPAN_DAYS_MAX) return <Figures span={span} />;
  return <Text c="dimmed">{t('compare_too_long', { days: SPAN_DAYS_MAX })}</Text>;
}

function Figures({ span }: Props) {
  const t = useTexts('payments');
  const { timeZone: timezone } = new Intl.DateTimeFormat().resolvedOptions();
  const spans = { now: span, before: spanBefore(span), timezone };
  const { figures, error } = useCompared(spans);
  if (error) return <ProblemAlert error={error} />;
  if (!figures) return null;
  return (
    <Paper withBorder p="sm">
      {isNone(figures) ? (
        <Text c="dimmed">{t('compare_none')}</Text>
      ) : (
        <ComparedTable label={t('compare_title')} figures={figures} {...spans} />
      )}
    </Paper>
  );
}
