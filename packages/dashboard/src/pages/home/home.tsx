import type { CurrencyFigures } from '@florin/contract/overview.ts';
import { Group, Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useScope } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { ChoiceBar } from '../../parts/form/choice-bar.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { useAddressSearch } from '../../parts/page/search.ts';
import { SetUpNote } from '../registration/set-up-note.tsx';
import { Attention } from './attention.tsx';
import { Declines } from './declines.tsx';
import { FigureCards } from './figure-cards.tsx';
import { loadGettingStarted } from './load-first-steps.ts';
import { emptyFigures, useOverview } from './overview.ts';
import { hasFigures, hasFirstSteps } from './parts.ts';
import { type Range, rangeOf, ranges } from './span.ts';
import { WeekCompared } from './week-compared.tsx';

/** Charts load last, so that the key figures do not wait for them. */
const DayCharts = lazy(() => import('./day-charts.tsx').then((it) => ({ default: it.DayCharts })));

const GettingStarted = lazy(loadGettingStarted);

/** Start page of a merchant: key figures, and what needs action. */
export function Home() {
  const t = useTexts('home');
  const scope = useScope();
  const [{ range: requested, currency }, change] = useAddressSearch();
  const range = rangeOf(requested);
  return (
    <>
      <PageTitle
        title={scope.business_name || t('title')}
        actions={
          hasFigures(scope) && <RangeChoice range={range} choose={(it) => change({ range: it })} />
        }
      />
      <SetUpNote />
      <Stack gap="lg">
        <FirstSteps />
        {hasFigures(scope) && (
          <Figures range={range} currency={currency} choose={(it) => change({ currency: it })} />
        )}
        <Attention />
      </Stack>
    </>
  );
}

function FirstSteps() {
  const scope = useScope();
  if (!hasFirstSteps(scope)) return null;
  return (
    <Suspense fallback={null}>
      <GettingStarted key={scope.merchant} />
    </Suspense>
  );
}

interface RangeProps {
  readonly range: Range;
  readonly choose: (range: string) => void;
}

function RangeChoice({ range, choose }: RangeProps) {
  const t = useTexts('home');
  return (
    <ChoiceBar
      label={t('range')}
      value={range}
      onChange={choose}
      data={ranges.map((value) => ({ value, label: t.count('days', Number(value)) }))}
    />
  );
}

interface FiguresProps {
  readonly range: Range;
  readonly currency: string | undefined;
  readonly choose: (currency: string) => void;
}

function Figures({ range, currency, choose }: FiguresProps) {
  const now = useOverview(range);
  const previousOverview = useOverview(range, 'before');
  if (now.error) return <ProblemAlert error={now.error} onRetry={() => void now.refetch()} />;
  if (!now.data) return <Loading rows={4} />;
  const { currencies, timezone } = now.data;
  const shownCurrency = currencies.find((it) => it.currency === currency) ?? currencies[0];
  if (!shownCurrency) return <NoPaymentsYet />;
  const earlier =
    previousOverview.data &&
    (previousOverview.data.currencies.find((it) => it.currency === shownCurrency.currency) ??
      emptyFigures);
  return (
    <Stack gap="lg">
      <WeekCompared range={range} />
      <CurrencyChoice
        currencies={currencies}
        shown={shownCurrency}
        choose={choose}
        timezone={timezone}
      />
      <FigureCards
        currency={shownCurrency.currency}
        figures={shownCurrency}
        previousFigures={earlier}
      />
      <Suspense fallback={<Loading rows={6} />}>
        <DayCharts figures={shownCurrency} span={now.data} />
      </Suspense>
      <Declines declines={shownCurrency.declines} />
    </Stack>
  );
}

function NoPaymentsYet() {
  const t = useTexts('home');
  const { takes_payments } = useScope();
  return <Text c="dimmed">{takes_payments ? t('no_payments') : t('closed')}</Text>;
}

interface CurrencyProps {
  readonly currencies: readonly CurrencyFigures[];
  readonly shown: CurrencyFigures;
  readonly choose: (currency: string) => void;
  readonly timezone: string;
}

function CurrencyChoice({ currencies, shown, choose, timezone }: CurrencyProps) {
  const t = useTexts('home');
  return (
    <Group justify="space-between">
      <ChoiceBar
        label={t('currency')}
        value={shown.currency}
        onChange={choose}
        data={currencies.map(({ currency }) => currency)}
      />
      <Text size="sm" c="dimmed">
        {t('days_of', { timezone })}
      </Text>
    </Group>
  );
}
