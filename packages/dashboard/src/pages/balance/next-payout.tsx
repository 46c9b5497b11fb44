import type { NextPayout } from '@florin/contract/payout-lines.ts';
import { Text } from '@mantine/core';
import { useDashboard } from '../../api/queries.ts';
import { useCan } from '../../api/scope.ts';
import { useLocale, useTexts } from '../../i18n/use-texts.ts';
import { Instant } from '../../parts/value/instant.tsx';
import { useAmountText } from '../../parts/value/money.tsx';

interface Props {
  /** Available minor units. */
  readonly cents: number;
  readonly currency: string;
}

/** Says which amount the next payout has so far, and when it can come. Nothing before settlement begins. */
export function NextPayoutText(props: Props) {
  const can = useCan();
  return can('transaction.payouts.read') && <Expected {...props} />;
}

function Expected({ cents, currency }: Props) {
  const t = useTexts('balance');
  const textOf = useAmountText();
  const locale = useLocale();
  const { data: next } = useDashboard<NextPayout | null>('payouts/next');
  if (!next) return null;
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const day = dates.format(new Date(next.settled_on));
  if (cents < next.least_cents)
    return (
      <Text size="sm" mt="md">
        {t('next_payout_none', { least: textOf(next.least_cents, currency) })}
      </Text>
    );
  const isLater = Date.parse(next.not_before) > Date.now();
  return (
    <Text size="sm" mt="md">
      {t('next_payout', { amount: textOf(cents, currency), day })}{' '}
      {isLater && (
        <>
          {t('next_payout_from')} <Instant at={next.not_before} />
        </>
      )}
    </Text>
  );
}
