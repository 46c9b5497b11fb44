import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Parameters, pageQuery } from '../../api/queries.ts';
import { useScope } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useAmountText } from '../../parts/value/money.tsx';
import { sumDisputes } from './sum-disputes.ts';

/** Disputes that are summed, as many as the largest page has. */
const SUMMED_MAX = 500;

/** Disputed and lost amounts of the list under its filters, by currency. Nothing for an empty list. */
export function DisputeTotal({ parameters }: { readonly parameters: Parameters }) {
  const t = useTexts('disputes');
  const amountText = useAmountText();
  const { include: _include, ...filters } = parameters;
  const sized = { ...filters, 'page[size]': String(SUMMED_MAX) };
  const { data } = useQuery(pageQuery(useScope(), 'disputes', sized));
  if (!data || data.data.length === 0) return null;
  const count = data.data.length;
  const totals = sumDisputes(data.data.map(({ attributes }) => attributes))
    .map(({ currency, cents, lost_cents }) =>
      t('total_of', {
        amount: amountText(String(cents), currency),
        lost: amountText(String(lost_cents), currency),
      }),
    )
    .join(' · ');
  return (
    <Text size="sm" fw={600} mb="sm" role="status">
      {data.links?.next
        ? t('total_minimum', { count: String(count), totals })
        : t.count('total', count, { totals })}
    </Text>
  );
}
