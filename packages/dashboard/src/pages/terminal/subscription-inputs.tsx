import { billingPeriods } from '@florin/contract/resources/payment-subscriptions.ts';
import { Checkbox, NativeSelect, Radio, Stack, TextInput } from '@mantine/core';
import { humanise } from '../../i18n/format-text.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { MoreOptions } from './details/more-options.tsx';
import { type SubscriptionValues, starts } from './subscription-draft.ts';

interface Props {
  readonly values: SubscriptionValues;
  readonly set: (changes: Partial<SubscriptionValues>) => void;
  readonly errors: Readonly<Record<string, string>>;
}

const PLAN_MAX = 100;

/** Purpose, period and start of the subscription, and the options that few people change. */
export function SubscriptionInputs(props: Props) {
  const { values, set, errors } = props;
  const t = useTexts('terminal');
  return (
    <>
      <TextInput
        label={t('plan')}
        required
        maxLength={PLAN_MAX}
        autoComplete="off"
        value={values.plan}
        onChange={({ currentTarget }) => set({ plan: currentTarget.value })}
        error={errors.plan}
      />
      <NativeSelect
        label={t('period')}
        value={values.period}
        onChange={({ currentTarget }) => set({ period: currentTarget.value })}
        data={billingPeriods.map((value) => ({ value, label: humanise(t(`every_${value}`)) }))}
      />
      <StartInput {...props} />
      <MoreOptions>
        <TextInput
          label={t('charges_max')}
          inputMode="numeric"
          value={values.chargesMax}
          onChange={({ currentTarget }) => set({ chargesMax: currentTarget.value.trim() })}
          error={errors.chargesMax}
        />
        <TextInput
          label={t('end_day')}
          type="date"
          value={values.endDay}
          onChange={({ currentTarget }) => set({ endDay: currentTarget.value })}
        />
        <Checkbox
          label={t('receipts')}
          checked={values.hasReceipt}
          onChange={({ currentTarget }) => set({ hasReceipt: currentTarget.checked })}
        />
      </MoreOptions>
    </>
  );
}

function StartInput({ values, set, errors }: Props) {
  const t = useTexts('terminal');
  return (
    <>
      <Radio.Group
        label={t('start')}
        value={values.start}
        onChange={(start) => set({ start: starts.find((it) => it === start) ?? 'now' })}
      >
        <Stack gap="xs" mt={6}>
          {starts.map((start) => (
            <Radio key={start} value={start} label={t(`start_${start}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {values.start !== 'now' && (
        <TextInput
          label={t('start_day')}
          type="date"
          required
          value={values.startDay}
          onChange={({ currentTarget }) => set({ startDay: currentTarget.value })}
          error={errors.startDay}
        />
      )}
    </>
  );
}
