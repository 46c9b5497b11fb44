import type { NextPayout } from '@florin/contract/payout-lines.ts';
import { Text } from '@mantine/core';
import { useDashboard } from '../../api/queries.ts';
import { useCan } from '../../api/scope.ts';
import type { RecordOf } from '../../api/types.ts';
import { useLocale, useTexts } from '../../i18n/use-texts.ts';
import { Instant } from '../../parts/value/instant.tsx';
import { useAmountText } from '../../parts/value/money.tsx';
import { expectedPayout } from './expected-payout.ts';

type Sums = RecordOf<'balances'>['attributes'];

/** Says how much the next payout is expected to be, when it is due, and by which rule. Nothing before settlement begins. */
export function NextPayoutText({ sums }: { readonly sums: Sums }) {
  const can = useCan();
  return can('transaction.payouts.read') && <Expected sums={sums} />;
}

function Expected({ sums }: { readonly sums: Sums }) {
  const t = useTexts('balance');
  const textOf = useAmountText();
  const { data: next } = useDashboard<NextPayout | null>('payouts/next');
  if (!next) return null;
  const { available_cents, unsettled_cents, amount_currency } = sums;
  const { kind, cents } = expectedPayout({ ...sums, least_cents: next.least_cents });
  const text = t(kind, {
    amount: textOf(cents, amount_currency),
    available: textOf(available_cents, amount_currency),
    pending: textOf(unsettled_cents, amount_currency),
    least: textOf(next.least_cents, amount_currency),
  });
  return (
    <>
      <Text size="sm" mt="md">
        {text} {kind !== 'next_payout_none' && <DueDate next={next} />}
      </Text>
      <Text size="sm" c="dimmed">
        {t('next_payout_rule')}
      </Text>
    </>
  );
}

function DueDate({ next: { settled_on, not_before } }: { readonly next: NextPayout }) {
  const t = useTexts('balance');
  const dates = new Intl.DateTimeFormat(useLocale(), { dateStyle: 'medium', timeZone: 'UTC' });
  const day = dates.format(new Date(settled_on));
  if (Date.parse(not_before) <= Date.now()) return t('next_payout_now', { day });
  return (
    <>
      {t('next_payout_due', { day })} <Instant at={not_before} />.
    </>
  );
}
