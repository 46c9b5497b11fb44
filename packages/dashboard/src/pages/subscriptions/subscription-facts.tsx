import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RecordOf, Resource } from '../../api/types.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../../parts/page/links.tsx';
import { recordPath } from '../../parts/page/record-path.ts';
import { DefinitionPairs } from '../../parts/record/definition-pairs.tsx';
import { Section } from '../../parts/record/section.tsx';
import { includedByKey, relatedOf } from '../../parts/table/column.ts';
import { Id } from '../../parts/value/copyable.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { Money } from '../../parts/value/money.tsx';
import { CardName } from '../payments/card-name.tsx';
import { upcomingCents } from './upcoming.ts';

interface Props {
  readonly subscription: RecordOf<'payment_subscriptions'>;
  readonly included: readonly Resource[];
}

/** Next charge of a subscription, its payer, and problems that block the charge. */
export function SubscriptionFacts({ subscription, included }: Props) {
  const t = useTexts('subscriptions');
  const { attributes } = subscription;
  const { past_due_since, canceled_at_period_end, next_billing_at } = attributes;
  return (
    <>
      {past_due_since && <PastDue subscription={subscription} />}
      {canceled_at_period_end && next_billing_at && attributes.status !== 'cancelled' && (
        <Alert color="yellow" title={t('ends_with_period')}>
          <Instant at={next_billing_at} />
        </Alert>
      )}
      <Section title={t('facts')}>
        <DefinitionPairs pairs={usePairs({ subscription, included })} />
      </Section>
    </>
  );
}

function PastDue({ subscription: { attributes } }: Pick<Props, 'subscription'>) {
  const t = useTexts('subscriptions');
  const names = useNames();
  const { failure_reason, next_attempt_at, dunning_ends_at } = attributes;
  return (
    <Alert
      color="red"
      variant="light"
      title={t('past_due', { reason: failure_reason ? names.value(failure_reason) : '–' })}
    >
      {next_attempt_at ? (
        <div>
          {t('next_try')} <Instant at={next_attempt_at} />
        </div>
      ) : (
        <div>{t('no_next_try')}</div>
      )}
      {dunning_ends_at && (
        <div>
          {t('given_up')} <Instant at={dunning_ends_at} />
        </div>
      )}
    </Alert>
  );
}

const TIMES = ['trial_end_at', 'current_period_end_at', 'end_at', 'canceled_at'] as const;

function usePairs({ subscription, included }: Props) {
  const t = useTexts('subscriptions');
  const names = useNames();
  const related = relatedOf(subscription as Resource, includedByKey(included));
  const { attributes } = subscription;
  const { amount_cents, amount_currency, billing_period, next_billing_at } = attributes;
  const [payer, method] = [related('payer'), related('payment_method')];
  const upcoming = upcomingCents(attributes);
  const renderMoney = (cents: number) => <Money cents={cents} currency={amount_currency} />;
  const period = billing_period && ` · ${names.value(billing_period)}`;
  const facts: readonly (false | null | undefined | readonly [string, ReactNode])[] = [
    [names.field('id'), <Id key="id" value={subscription.id} />],
    [
      t('price'),
      <span key="price">
        {renderMoney(amount_cents)}
        {period}
      </span>,
    ],
    upcoming !== undefined &&
      !!next_billing_at && [
        t('upcoming'),
        <span key="upcoming">
          {renderMoney(upcoming)} · <Instant at={next_billing_at} />
        </span>,
      ],
    !!attributes.credit_cents && [
      names.field('credit_cents'),
      renderMoney(attributes.credit_cents),
    ],
    payer && [
      names.field('payer'),
      <ScopedLink key="payer" to={recordPath('customers', payer.id)}>
        {String(payer.attributes.name || payer.attributes.email)}
      </ScopedLink>,
    ],
    method && [
      names.field('payment_method'),
      <ScopedLink key="method" to={recordPath('payment_methods', method.id)}>
        <CardName method={method} />
      </ScopedLink>,
    ],
    ...TIMES.map((name) => {
      const at = attributes[name];
      return at ? ([names.field(name), <Instant key={name} at={at} />] as const) : null;
    }),
  ];
  return facts.flatMap((it) => (it ? [{ key: it[0], term: it[0], value: it[1] }] : []));
}
