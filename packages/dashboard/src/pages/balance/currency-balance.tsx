import type { LedgerAccount } from '@florin/contract/ledger.ts';
import { Alert, SimpleGrid, Text, Title } from '@mantine/core';
import { useCan } from '../../api/scope.ts';
import type { RecordOf } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { StatCard } from '../../parts/chart/stat-card.tsx';
import { ScopedLink } from '../../parts/page/links.tsx';
import { Section } from '../../parts/record/section.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { Money, useAmountText } from '../../parts/value/money.tsx';
import { LedgerTable, useLedger } from './ledger-table.tsx';
import { NextPayoutText } from './next-payout.tsx';
import { Statement } from './statement.tsx';

type Sums = RecordOf<'balances'>['attributes'];

const FIGURES = [
  'available_cents',
  'unsettled_cents',
  'owed_cents',
  'reserved_cents',
  'disputed_cents',
] as const;
type Figure = (typeof FIGURES)[number];

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
            hint={<Hint name={name} sums={attributes} />}
          />
        ))}
      </SimpleGrid>
      <NextPayoutText sums={attributes} />
      <Statement sums={attributes} />
      <NewestLines currency={amount_currency} />
      {as_of && (
        <Text size="xs" c="dimmed" mt="sm">
          {t('as_of')} <Instant at={as_of} />
        </Text>
      )}
    </Section>
  );
}

/** The account of the ledger whose newest balance a figure is. */
const accounts: Partial<Record<Figure, LedgerAccount>> = {
  owed_cents: 'merchant',
  reserved_cents: 'refunds',
  disputed_cents: 'disputes',
};

/** Explains a figure, and leads to its lines. */
function Hint({ name, sums }: { readonly name: Figure; readonly sums: Sums }) {
  const t = useTexts('balance');
  const can = useCan();
  const account = accounts[name];
  const isLinked = account && can('transaction.ledger_transfers.read');
  return (
    <>
      {t(hintOf(name, sums))}
      {isLinked && (
        <div>
          <ScopedLink
            to="balance/ledger"
            search={{ account, currency: sums.amount_currency }}
            aria-label={t('lines_of', { figure: t(name) })}
          >
            {t('lines')}
          </ScopedLink>
        </div>
      )}
    </>
  );
}

function hintOf(name: Figure, sums: Sums) {
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

const NEWEST_MAX = 5;

/** The newest changes of the total balance. */
function NewestLines({ currency }: { readonly currency: string }) {
  const can = useCan();
  return can('transaction.ledger_transfers.read') && <Newest currency={currency} />;
}

function Newest({ currency }: { readonly currency: string }) {
  const t = useTexts('balance');
  const ledger = useLedger({ account: 'merchant', currency });
  const title = t('newest_lines', { currency });
  return (
    <>
      <Title order={3} size="h5" mt="md" mb="xs">
        {title}
      </Title>
      <LedgerTable ledger={ledger} currency={currency} label={title} lines_max={NEWEST_MAX} />
      <Text size="sm" mt="xs">
        <ScopedLink to="balance/ledger" search={{ currency }}>
          {t('show_ledger', { currency })}
        </ScopedLink>
      </Text>
    </>
  );
}
