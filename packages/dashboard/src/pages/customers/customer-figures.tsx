import type { CustomerFigures } from '@florin/contract/customer-figures.ts';
import { SimpleGrid, Skeleton } from '@mantine/core';
import { useDashboard } from '../../api/queries.ts';
import { useLocale, useTexts } from '../../i18n/use-texts.ts';
import { StatCard } from '../../parts/chart/stat-card.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { useAmountText } from '../../parts/value/money.tsx';

const GRID = { base: 1, xs: 2, md: 4 };
const CARD_PX = 96;

/** Lifetime spend, refunds and counts of the customer, as far as the person may read them. */
export function CustomerFigureCards({ id }: { readonly id: string }) {
  const { data, error, refetch } = useDashboard<CustomerFigures>(`customers/${id}/figures`);
  if (error && !data) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={CARD_PX} />;
  const { payments, disputes, subscriptions } = data;
  return (
    <SimpleGrid cols={GRID}>
      {payments && <Spend payments={payments} />}
      {payments && <Refunds payments={payments} />}
      {disputes && <Disputes disputes={disputes} />}
      {subscriptions && <Subscriptions subscriptions={subscriptions} />}
    </SimpleGrid>
  );
}

type Payments = NonNullable<CustomerFigures['payments']>;

/** Returns a text for a figure that may be larger: `at least 1,000`. */
function useMinimum(): (text: string, isMinimum: boolean) => string {
  const t = useTexts('customers');
  return (text, isMinimum) => (isMinimum ? t('at_least', { figure: text }) : text);
}

/** Formats an amount of each currency; nothing was paid in no currency. */
function useSums(payments: Payments, read: (sums: Payments['amounts'][number]) => bigint) {
  const amountText = useAmountText();
  const minimum = useMinimum();
  const sums = payments.amounts.map((it) => ({ currency: it.currency, cents: read(it) }));
  return sums.map(({ currency, cents }) =>
    minimum(amountText(String(cents), currency), payments.is_minimum),
  );
}

function Spend({ payments }: { readonly payments: Payments }) {
  const t = useTexts('customers');
  const minimum = useMinimum();
  const number = useNumber();
  const [first = '–', ...others] = useSums(
    payments,
    ({ paid_cents, refunded_cents }) => BigInt(paid_cents) - BigInt(refunded_cents),
  );
  const count = minimum(number(payments.paid), payments.is_minimum);
  return (
    <StatCard
      label={t('spend')}
      value={first}
      hint={[...others, t('spend_hint', { payments: count })].map((line) => (
        <div key={line}>{line}</div>
      ))}
    />
  );
}

function Refunds({ payments }: { readonly payments: Payments }) {
  const t = useTexts('customers');
  const minimum = useMinimum();
  const number = useNumber();
  const [first = '–', ...others] = useSums(payments, ({ refunded_cents }) =>
    BigInt(refunded_cents),
  );
  const count = minimum(number(payments.refunded), payments.is_minimum);
  return (
    <StatCard
      label={t('refunds')}
      value={first}
      hint={[...others, t('refunds_hint', { payments: count })].map((line) => (
        <div key={line}>{line}</div>
      ))}
    />
  );
}

function Disputes({ disputes }: { readonly disputes: NonNullable<CustomerFigures['disputes']> }) {
  const t = useTexts('customers');
  const minimum = useMinimum();
  const number = useNumber();
  const { count, open, is_minimum } = disputes;
  return (
    <StatCard
      label={t('disputes')}
      value={minimum(number(count), is_minimum)}
      hint={t('disputes_hint', { open: number(open) })}
    />
  );
}

function Subscriptions({
  subscriptions: { count, active, is_minimum },
}: {
  readonly subscriptions: NonNullable<CustomerFigures['subscriptions']>;
}) {
  const t = useTexts('customers');
  const minimum = useMinimum();
  const number = useNumber();
  return (
    <StatCard
      label={t('active_subscriptions')}
      value={minimum(number(active), is_minimum)}
      hint={t('subscriptions_hint', { count: minimum(number(count), is_minimum) })}
    />
  );
}

/** Returns a formatter of counts. */
function useNumber(): (count: number) => string {
  const locale = useLocale();
  return (count) => new Intl.NumberFormat(locale).format(count);
}
