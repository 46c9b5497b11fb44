import { Alert, SimpleGrid, Text } from '@mantine/core';
import type { RecordOf } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { StatCard } from '../../parts/chart/stat-card.tsx';
import { Section } from '../../parts/record/section.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { Money, useAmountText } from '../../parts/value/money.tsx';
import { Statement } from './statement.tsx';

type Sums = RecordOf<'balances'>['attributes'];

const FIGURES = [
  'available_cents',
  'unsettled_cents',
  'owed_cents',
  'reserved_cents',
  'disputed_cents',
] as const;

/** The balance in one currency: its figures, why one is below zero, and the lines that make them. */
export function CurrencyBalance({
  balance: { attributes },
}: {
  readonly balance: RecordOf<'balances'>;
}) {
  const t = useTexts('balance');
  const { amount_currency, as_of } = attributes;
  return (
    <Section title={amount_currency}>
      {attributes.available_cents < 0 && <Negative sums={attributes} />}
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 5 }}>
        {FIGURES.map((name) => (
          <StatCard
            key={name}
            label={t(name)}
            value={<Money cents={attributes[name]} currency={amount_currency} />}
            hint={t(hintOf(name, attributes))}
          />
        ))}
      </SimpleGrid>
      <Statement sums={attributes} />
      {as_of && (
        <Text size="xs" c="dimmed" mt="sm">
          {t('as_of')} <Instant at={as_of} />
        </Text>
      )}
    </Section>
  );
}

function hintOf(name: (typeof FIGURES)[number], sums: Sums) {
  const isNegative = sums[name] < 0;
  if (name === 'available_cents' && isNegative) return 'available_cents_negative';
  if (name === 'owed_cents' && isNegative) return 'owed_cents_negative';
  return `${name}_hint` as const;
}

/** Says why the available amount is below zero, and what ends that. */
function Negative({ sums }: { readonly sums: Sums }) {
  const t = useTexts('balance');
  const textOf = useAmountText();
  const { owed_cents, unsettled_cents, amount_currency } = sums;
  return (
    <Alert color="yellow" title={t('negative')} mb="md">
      {owed_cents < 0
        ? t('negative_owed', { amount: textOf(-owed_cents, amount_currency) })
        : t('negative_pending', { amount: textOf(unsettled_cents, amount_currency) })}
    </Alert>
  );
}
