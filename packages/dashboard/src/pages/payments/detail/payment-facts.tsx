import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RecordOf, Resource } from '../../../api/types.ts';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { TestCardHint } from '../../../parts/feedback/test-card-hint.tsx';
import { DefinitionPairs } from '../../../parts/record/definition-pairs.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { Id } from '../../../parts/value/copyable.tsx';
import { Instant } from '../../../parts/value/instant.tsx';
import { Money } from '../../../parts/value/money.tsx';
import { useDeclineText } from './decline-text.ts';
import { historyOf } from './history.ts';
import { LastInquiry } from './inquiry/last-inquiry.tsx';
import { usePartyPairs } from './parties.tsx';

const AMOUNTS = [
  'amount_authorised_cents',
  'amount_captured_cents',
  'amount_capturable_cents',
  'amount_refunded_cents',
  'amount_refundable_cents',
  'fee_cents',
] as const;

/** Amounts that say nothing new where they equal the captured amount. */
const AS_CAPTURED: ReadonlySet<string> = new Set([
  'amount_authorised_cents',
  'amount_refundable_cents',
]);

const TIMES = ['hold_expires_at', 'succeeded_at', 'created_at'] as const;

interface Props {
  readonly payment: RecordOf<'payment_demands'>;
  readonly included: readonly Resource[];
}

/** Payer, card, purchase and amounts of a payment, below the reason of a failure. */
export function PaymentFacts({ payment, included }: Props) {
  const t = useTexts('payments');
  const names = useNames();
  const { people, addresses } = usePartyPairs({ payment: payment as Resource, included });
  const id = { key: 'id', term: names.field('id'), value: <Id value={payment.id} /> };
  const pairs = [...people, ...useFactPairs(payment), ...addresses, id];
  return (
    <>
      <Trouble payment={payment} included={included} />
      <Section title={t('facts')}>
        <DefinitionPairs pairs={pairs} />
      </Section>
    </>
  );
}

/** Unknown outcome, or the reason of a failure. */
function Trouble({ payment, included }: Props) {
  const t = useTexts('payments');
  const declineText = useDeclineText();
  const { status, failure_reason } = payment.attributes;
  if (payment.meta?.outcome === 'unknown')
    return (
      <Alert color="yellow" title={t('outcome_unknown')}>
        {t('outcome_unknown_hint')}
        <LastInquiry attempts={historyOf(included).attempts} about={payment.id} />
      </Alert>
    );
  if (status !== 'failed' || !failure_reason) return null;
  return (
    <Alert color="red" variant="light" title={declineText(failure_reason)}>
      {t('failed_hint')}
      {!hasProcessor(included) && <TestCardHint reason={failure_reason} />}
    </Alert>
  );
}

/** Whether an attempt went to a processor account, which has test cards of its own. */
const hasProcessor = (included: readonly Resource[]): boolean =>
  included.some(({ relationships }) => relationships?.processor_detail?.data != null);

/** Purchase, amounts that differ from each other, and times. */
function useFactPairs({ attributes }: Props['payment']) {
  const t = useTexts('payments');
  const names = useNames();
  const { amount_currency, purchase_reference, description, succeeded_at } = attributes;
  const fact = (key: string, value: ReactNode, term?: string) => ({
    key,
    term: term ?? names.field(key),
    value,
  });
  const captured = attributes.amount_captured_cents;
  const amounts = AMOUNTS.filter((name) => {
    const cents = attributes[name];
    return cents && (cents !== captured || !AS_CAPTURED.has(name));
  });
  return [
    ...(description
      ? [fact('description', description, succeeded_at ? t('paid_for') : undefined)]
      : []),
    ...(purchase_reference ? [fact('purchase_reference', purchase_reference)] : []),
    ...amounts.map((name) =>
      fact(name, <Money cents={attributes[name] ?? 0} currency={amount_currency} />),
    ),
    ...TIMES.flatMap((name) => {
      const at = attributes[name];
      return at ? [fact(name, <Instant at={at} />)] : [];
    }),
  ];
}
