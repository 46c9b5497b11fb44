import { decimalOf, minorUnitsOf } from '@florin/contract/typed-amounts.ts';
import { useState } from 'react';
import { type Draft, useCreate } from '../../api/queries.ts';
import type { RecordOf } from '../../api/types.ts';
import { useLocale, useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';

interface ChangeValues {
  readonly amount: string;
  readonly billing_period: string;
  /** Id of the selected card; empty for the current card. */
  readonly payment_method: string;
  readonly proration_behavior: string;
}

/** Holds a change that is first priced, and then applied at that price. */
export function useChange(subscription: RecordOf<'payment_subscriptions'>, onDone: () => void) {
  const t = useTexts('subscriptions');
  const notify = useNotify();
  const locale = useLocale();
  const { amount_cents, amount_currency, billing_period } = subscription.attributes;
  const [values, setValues] = useState<ChangeValues>({
    amount: decimalOf(amount_cents, amount_currency, locale),
    billing_period: billing_period ?? '',
    payment_method: '',
    proration_behavior: 'create_prorations',
  });
  const preview = useCreate('subscription_changes');
  const create = useCreate('subscription_changes');
  const cents = minorUnitsOf(values.amount, amount_currency, locale);
  const draftOf = (dry_run: boolean) => draftChange(subscription, { ...values, cents, dry_run });
  return {
    values,
    currency: amount_currency,
    isAmount: cents !== undefined,
    /** Whether the input differs from the subscription. */
    isOther:
      cents !== amount_cents ||
      values.billing_period !== billing_period ||
      values.payment_method !== '',
    /** Any new input discards the price. */
    set: (changes: Partial<ChangeValues>) => {
      setValues({ ...values, ...changes });
      preview.reset();
      create.reset();
    },
    cost: preview.data?.attributes,
    error: create.error ?? preview.error,
    isPending: preview.isPending || create.isPending,
    ask: () => preview.mutate(draftOf(true)),
    make: () =>
      create.mutate(draftOf(false), {
        onSuccess: () => {
          notify(t('done', { action: t('do_change') }));
          onDone();
        },
      }),
  };
}

interface RequestedChange extends ChangeValues {
  readonly cents: number | undefined;
  readonly dry_run: boolean;
}

/** Request body with only the changed values. */
function draftChange(
  { id, attributes }: RecordOf<'payment_subscriptions'>,
  requested: RequestedChange,
): Draft {
  const { cents, billing_period, proration_behavior, dry_run, payment_method } = requested;
  return {
    attributes: {
      dry_run,
      proration_behavior,
      ...(cents !== attributes.amount_cents && { amount_cents: cents }),
      ...(billing_period !== attributes.billing_period && { billing_period }),
    },
    relationships: {
      payment_subscription: { data: { type: 'payment_subscriptions', id } },
      ...(payment_method && {
        payment_method: { data: { type: 'payment_methods', id: payment_method } },
      }),
    },
  };
}
