import { billingPeriods } from '@florin/contract/resources/payment-subscriptions.ts';
import { Button, Group, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import type { RecordOf } from '../../../api/types.ts';
import { humanise } from '../../../i18n/format-text.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { AmountInput } from '../../terminal/details/amount-input.tsx';
import { expiries, uses } from './link-draft.ts';
import { LinkOptions } from './link-options.tsx';
import { type NewLink, useNewLink } from './use-new-link.ts';

/** Customer of a link, with the name that the dialog shows. */
export interface LinkCustomer {
  readonly id: string;
  readonly name: string;
}

interface Props {
  readonly customer?: LinkCustomer;
  readonly onClose: () => void;
  readonly onDone: (link: RecordOf<'payment_links'>) => void;
}

const TITLE_MAX = 200;

/** Inputs of a new link: product, price, number of uses and expiry. */
export function NewLinkForm({ customer, onClose, onDone }: Props) {
  const t = useTexts('links');
  const common = useTexts('common');
  const form = useNewLink({ customer: customer?.id, onDone });
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack>
        {form.error && form.others.length > 0 && (
          <ProblemAlert error={form.error} problems={form.others} />
        )}
        {customer && <Text size="sm">{t('for_customer', { name: customer.name })}</Text>}
        <Sale form={form} />
        <Uses form={form} />
        <Expires form={form} />
        <LinkOptions form={form} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={form.isPending} disabled={form.values.currency === ''}>
            {t('create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Sale({ form: { values, set, errors, currency, currencies } }: { readonly form: NewLink }) {
  const t = useTexts('links');
  const terminal = useTexts('terminal');
  const periods = billingPeriods.map((value) => ({
    value,
    label: humanise(terminal(`every_${value}`)),
  }));
  return (
    <>
      <TextInput
        label={t('title')}
        description={t('title_hint')}
        required
        maxLength={TITLE_MAX}
        autoComplete="off"
        value={values.title}
        onChange={({ currentTarget }) => set({ title: currentTarget.value })}
        error={errors.title}
        data-autofocus
      />
      <AmountInput
        label={values.period ? terminal('amount_each') : terminal('amount')}
        amount={values.amount}
        currency={currency}
        currencies={currencies}
        onChange={set}
        error={errors.amount}
      />
      <NativeSelect
        label={t('charged')}
        value={values.period}
        onChange={({ currentTarget }) => set({ period: currentTarget.value })}
        data={[{ value: '', label: t('charged_once') }, ...periods]}
        error={errors.period}
      />
    </>
  );
}

function Uses({ form: { values, set, errors } }: { readonly form: NewLink }) {
  const t = useTexts('links');
  return (
    <>
      <Radio.Group
        label={t('uses')}
        value={values.uses}
        onChange={(use) => set({ uses: uses.find((it) => it === use) ?? 'many' })}
      >
        <Stack gap="xs" mt={6}>
          {uses.map((use) => (
            <Radio key={use} value={use} label={t(`uses_${use}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {values.uses === 'limited' && (
        <TextInput
          label={t('uses_max')}
          required
          inputMode="numeric"
          autoComplete="off"
          value={values.usesMax}
          onChange={({ currentTarget }) => set({ usesMax: currentTarget.value.trim() })}
          error={errors.usesMax}
        />
      )}
    </>
  );
}

function Expires({ form: { values, set, errors } }: { readonly form: NewLink }) {
  const t = useTexts('links');
  const data = expiries.map((value) => ({ value, label: t(`expires_${value}`) }));
  const isOnDay = values.expiry === 'on_day';
  return (
    <Group align="flex-start" grow preventGrowOverflow={false}>
      <NativeSelect
        label={t('expires')}
        value={values.expiry}
        onChange={({ currentTarget: { value } }) =>
          set({ expiry: expiries.find((it) => it === value) ?? 'never' })
        }
        data={data}
        miw="12rem"
        error={!isOnDay && errors.expiryDay}
      />
      {isOnDay && (
        <TextInput
          label={t('last_day')}
          type="date"
          required
          value={values.expiryDay}
          onChange={({ currentTarget }) => set({ expiryDay: currentTarget.value })}
          error={errors.expiryDay}
          miw="12rem"
        />
      )}
    </Group>
  );
}
