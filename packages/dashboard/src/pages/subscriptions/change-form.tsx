import { billingPeriods } from '@florin/contract/resources/payment-subscriptions.ts';
import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import type { Attributes, RecordOf } from '../../api/types.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { DefinitionPairs } from '../../parts/record/definition-pairs.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { Money } from '../../parts/value/money.tsx';
import { CardSelect } from './card-select.tsx';
import { useChange } from './use-change.ts';

interface Props {
  readonly subscription: RecordOf<'payment_subscriptions'>;
  readonly onClose: () => void;
}

/** Form for a change: shows the price first, then applies the change. */
export function ChangeForm({ subscription, onClose }: Props) {
  const t = useTexts('subscriptions');
  const common = useTexts('common');
  const change = useChange(subscription, onClose);
  const { cost, isPending, error } = change;
  const canSubmit = change.isAmount && change.isOther;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!canSubmit || isPending) return;
    if (cost) change.make();
    else change.ask();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {error && <ProblemAlert error={error} />}
        <ChangeInputs change={change} subscription={subscription} />
        <div role="status">
          {cost && <Cost cost={cost} currency={change.currency} />}
          {!change.isOther && (
            <Text size="sm" c="dimmed">
              {t('change_hint')}
            </Text>
          )}
        </div>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={isPending} disabled={!canSubmit}>
            {t(cost ? 'change_do' : 'change_preview')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface InputProps {
  readonly change: ReturnType<typeof useChange>;
  readonly subscription: RecordOf<'payment_subscriptions'>;
}

function ChangeInputs({ change, subscription }: InputProps) {
  const t = useTexts('subscriptions');
  const records = useTexts('records');
  const names = useNames();
  const { values, set, currency, isAmount } = change;
  const payer = subscription.relationships?.payer?.data;
  return (
    <>
      <TextInput
        label={t('new_amount')}
        value={values.amount}
        onChange={({ currentTarget }) => set({ amount: currentTarget.value })}
        error={!isAmount && records('not_an_amount')}
        inputMode="decimal"
        rightSection={currency}
        rightSectionWidth={56}
      />
      <NativeSelect
        label={names.field('billing_period')}
        value={values.billing_period}
        onChange={({ currentTarget }) => set({ billing_period: currentTarget.value })}
        data={billingPeriods.map((value) => ({ value, label: names.value(value) }))}
      />
      {payer && 'id' in payer && (
        <CardSelect
          customer={payer.id}
          value={values.payment_method}
          onChange={(payment_method) => set({ payment_method })}
        />
      )}
      <NativeSelect
        label={t('proration')}
        value={values.proration_behavior}
        onChange={({ currentTarget }) => set({ proration_behavior: currentTarget.value })}
        data={[
          { value: 'create_prorations', label: t('proration_now') },
          { value: 'none', label: t('proration_next') },
        ]}
      />
    </>
  );
}

interface CostProps {
  readonly cost: Attributes<'subscription_changes'>;
  readonly currency: string;
}

function Cost({ cost, currency }: CostProps) {
  const t = useTexts('subscriptions');
  const { charged_cents, credit_cents, next_amount_cents, next_billing_at } = cost;
  const renderMoney = (cents: number) => <Money cents={cents} currency={currency} />;
  return (
    <Alert title={t('cost')}>
      <DefinitionPairs
        pairs={[
          { key: 'now', term: t('cost_now'), value: renderMoney(charged_cents) },
          {
            key: 'next',
            term: t('cost_next'),
            value: (
              <>
                {renderMoney(next_amount_cents)}{' '}
                {next_billing_at && <Instant at={next_billing_at} />}
              </>
            ),
          },
          { key: 'credit', term: t('cost_credit'), value: renderMoney(credit_cents) },
        ]}
      />
    </Alert>
  );
}
