import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RecordOf } from '../../../api/types.ts';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { DefinitionPairs } from '../../../parts/record/definition-pairs.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { Id } from '../../../parts/value/copyable.tsx';
import { Instant } from '../../../parts/value/instant.tsx';
import { Money } from '../../../parts/value/money.tsx';

const AMOUNTS = [
  'amount_authorised_cents',
  'amount_captured_cents',
  'amount_capturable_cents',
  'amount_refunded_cents',
  'amount_refundable_cents',
  'fee_cents',
] as const;

const TIMES = ['hold_expires_at', 'succeeded_at', 'canceled_at', 'created_at'] as const;

/** Attributes shown in the heading or in the facts. The full list omits them. */
export const shownFacts: readonly string[] = [
  ...AMOUNTS,
  ...TIMES,
  ...['status', 'processor_state', 'failure_reason', 'amount_cents', 'amount_currency'],
  ...['purchase_reference', 'description', 'risk_outcome'],
];

/** Key facts of a payment: amounts, failure reason, references. */
export function PaymentFacts({ payment }: { readonly payment: RecordOf<'payment_demands'> }) {
  const t = useTexts('payments');
  const names = useNames();
  const { attributes } = payment;
  const { amount_currency, purchase_reference, description, failure_reason, status } = attributes;
  const amounts = AMOUNTS.filter((name) => attributes[name]).map((name) =>
    fact(name, <Money cents={attributes[name] ?? 0} currency={amount_currency} />),
  );
  const times = TIMES.flatMap((name) => {
    const at = attributes[name];
    return at ? [fact(name, <Instant at={at} />)] : [];
  });
  const words = Object.entries({ purchase_reference, description })
    .filter(([, text]) => text)
    .map(([name, text]) => fact(name, text));
  return (
    <>
      {payment.meta?.outcome === 'unknown' && (
        <Alert color="yellow" title={t('outcome_unknown')}>
          {t('outcome_unknown_hint')}
        </Alert>
      )}
      {status === 'failed' && failure_reason && (
        <Alert color="red" variant="light" title={names.value(failure_reason)}>
          {t('failed_hint')}
        </Alert>
      )}
      <Section title={t('facts')}>
        <DefinitionPairs
          pairs={[fact('id', <Id value={payment.id} />), ...words, ...amounts, ...times].map(
            ({ key, value }) => ({ key, term: names.field(key), value }),
          )}
        />
      </Section>
    </>
  );
}

const fact = (key: string, value: ReactNode) => ({ key, value });
