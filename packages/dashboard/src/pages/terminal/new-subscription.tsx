import { Breadcrumbs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { recordQuery } from '../../api/queries.ts';
import { useCan, useScope } from '../../api/scope.ts';
import type { RecordOf } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { listPath } from '../../parts/page/record-path.ts';
import { Instant } from '../../parts/value/instant.tsx';
import { useCheckout } from './checkout/use-checkout.ts';
import type { CheckoutType } from './checkout/use-intent.ts';
import { DetailsForm } from './details/details-form.tsx';
import { type Purchase, useCheckoutDetails } from './details/use-checkout-details.ts';
import { useValues } from './details/use-values.ts';
import { usePayer } from './payer/use-payer.ts';
import { newReference } from './payment-draft.ts';
import { noSubscription, subscriptionDraft, wrongInputs } from './subscription-draft.ts';
import { SubscriptionInputs } from './subscription-inputs.tsx';
import { Terminal, TerminalFrame } from './terminal.tsx';
import { usePlanText } from './use-plan-text.ts';

/** Starts a subscription that a customer ordered by telephone. */
export function NewSubscription() {
  const t = useTexts('subscriptions');
  return (
    <>
      <Breadcrumbs mb="xs">
        <ScopedLink to={listPath('payment_subscriptions')}>{t('subscriptions')}</ScopedLink>
      </Breadcrumbs>
      <PageTitle title={t('new_subscription')} />
      <TerminalFrame>
        <SubscriptionTerminal />
      </TerminalFrame>
    </>
  );
}

function SubscriptionTerminal() {
  const t = useTexts('terminal');
  const records = useTexts('records');
  const planText = usePlanText();
  const form = useValues(noSubscription);
  const [reference, setReference] = useState(newReference);
  const payer = usePayer(form.values.payer);
  const checkout = useCheckout('payment_subscriptions');
  const problem = (name: string) =>
    name === 'chargesMax' ? records('not_a_number') : records('required');
  const wrong = Object.fromEntries(wrongInputs(form.values).map((name) => [name, problem(name)]));
  const scope = useScope();
  const merchant = useQuery({
    ...recordQuery(scope, 'merchants', scope.merchant),
    enabled: useCan()('user.merchants.read'),
  }).data?.record.attributes;
  const draftOf = (purchase: Purchase) =>
    subscriptionDraft(form.values, purchase, reference, merchant?.business_timezone);
  const details = useCheckoutDetails({ form, payer, checkout, wrong, draftOf });
  const payText = t('start_subscription');
  return (
    <Terminal
      type="payment_subscriptions"
      details={details}
      payText={payText}
      onRestart={() => setReference(newReference())}
      onSuccess={(record) => <NextCharge record={record} />}
    >
      <DetailsForm
        details={details}
        amountLabel={t('amount_each')}
        payText={payText}
        effect={planText(form.values, details.cents ?? 0, details.currency)}
      >
        <SubscriptionInputs values={form.values} set={form.set} errors={details.errors} />
      </DetailsForm>
    </Terminal>
  );
}

function NextCharge({ record }: { readonly record: RecordOf<CheckoutType> }) {
  const t = useTexts('terminal');
  const { next_billing_at } = record.attributes as { readonly next_billing_at?: string | null };
  if (!next_billing_at) return null;
  return (
    <Text size="sm">
      {t('next_charge')} <Instant at={next_billing_at} />
    </Text>
  );
}
