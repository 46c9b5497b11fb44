import { decimalOf, readAmount } from '@florin/contract/typed-amounts.ts';
import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { problemsByField } from '../../../api/errors.ts';
import type { SendKey } from '../../../api/keys.ts';
import { useCreate } from '../../../api/queries.ts';
import type { RecordOf } from '../../../api/types.ts';
import { useLocale, useTexts } from '../../../i18n/use-texts.ts';
import { useNotify } from '../../../parts/feedback/notices.ts';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { useAmountProblem } from '../../../parts/form/use-amount-problem.ts';
import { useAmountText } from '../../../parts/value/money.tsx';
import { RefundNotice } from '../refund-notice.tsx';
import { NO_REASON, reasonAttributes } from '../refund-reason.ts';
import { RefundReasonFields } from '../refund-reason-fields.tsx';

export interface MoneyProps {
  readonly kind: 'refund' | 'capture';
  readonly payment: RecordOf<'payment_demands'>;
  /** Whether the payment's account takes one capture only, so that the rest of the hold is always released. */
  readonly isCapturedOnce: boolean;
  readonly onClose: () => void;
}

interface KeyedProps extends MoneyProps {
  /** Idempotency key of the caller: a form opened again after a missing response repeats the same request. */
  readonly sendKey: SendKey;
}

/** Amount that can still be refunded or captured, in minor units. */
const leftOf = ({ kind, payment: { attributes } }: MoneyProps): number =>
  (kind === 'refund' ? attributes.amount_refundable_cents : attributes.amount_capturable_cents) ??
  0;

/** Form for amount and reason. Shows the effect before the person confirms. */
export function MoneyForm(props: KeyedProps) {
  const { kind, isCapturedOnce, onClose } = props;
  const common = useTexts('common');
  const form = useMoneyForm(props);
  const { amount, problems, isPending, error, texts } = form;
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack>
        {problems.others.length > 0 && error !== null && (
          <ProblemAlert error={error} problems={problems.others} />
        )}
        <TextInput
          label={texts.amountLabel}
          description={texts.limit}
          value={amount}
          onChange={({ currentTarget }) => form.setAmount(currentTarget.value)}
          error={form.amountProblem ?? problems.fields.amount_cents}
          inputMode="decimal"
          rightSection={form.currency}
          rightSectionWidth={56}
          required
          data-autofocus
        />
        {kind === 'refund' && (
          <RefundReasonFields
            entered={form.entered}
            onChange={form.setEntered}
            reasonProblem={form.reasonProblem}
            noteProblem={problems.fields.reason_note}
          />
        )}
        {kind === 'capture' && form.isPart && !isCapturedOnce && <LastCapture form={form} />}
        <Text size="sm" role="status">
          {texts.effect}
        </Text>
        {kind === 'refund' && <RefundNotice />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={isPending}>
            {texts.button}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Choice whether the rest of the hold is released. */
function LastCapture({ form }: { readonly form: ReturnType<typeof useMoneyForm> }) {
  const t = useTexts('payments');
  return (
    <Checkbox
      label={t('capture_last')}
      description={t('capture_last_hint')}
      checked={form.isLast}
      onChange={({ currentTarget }) => form.setIsLast(currentTarget.checked)}
      error={form.problems.fields.final}
    />
  );
}

const FIELDS: ReadonlySet<string> = new Set(['amount_cents', 'final', 'reason', 'reason_note']);

function useMoneyForm(props: KeyedProps) {
  const { kind, payment, onClose, sendKey } = props;
  const t = useTexts('payments');
  const notify = useNotify();
  const create = useCreate(kind === 'refund' ? 'refund_demands' : 'capture_demands', sendKey);
  const currency = payment.attributes.amount_currency;
  const remainingCents = leftOf(props);
  const locale = useLocale();
  const [amount, setAmount] = useState(decimalOf(remainingCents, currency, locale));
  const [entered, setEntered] = useState(NO_REASON);
  const [isLast, setIsLast] = useState(true);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const texts = useMoneyTexts(props, amount, isLast);
  const cents = centsOf({ amount, currency, locale, left: remainingCents });
  const isPart = cents !== undefined && cents < remainingCents;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsSubmitted(true);
    if (cents === undefined || (kind === 'refund' && !entered.reason) || create.isPending) return;
    const why = kind === 'refund' && reasonAttributes(entered);
    const open = kind === 'capture' && isPart && !isLast && { final: false };
    const attributes = { amount_cents: cents, amount_currency: currency, ...why, ...open };
    const payment_demand = { data: { type: 'payment_demands', id: payment.id } };
    const onSuccess = () => {
      notify(t(kind === 'refund' ? 'done_refund' : 'done_capture'));
      onClose();
    };
    create.mutate({ attributes, relationships: { payment_demand } }, { onSuccess });
  };
  const problems = create.error
    ? problemsByField(create.error, (path) => FIELDS.has(path))
    : NO_PROBLEMS;
  return {
    ...{ amount, setAmount, entered, setEntered, submit, texts, currency },
    ...{ isPart, isLast, setIsLast, problems },
    amountProblem: cents === undefined ? texts.wrong : undefined,
    reasonProblem:
      isSubmitted && !entered.reason ? t('refund_reason_choose') : problems.fields.reason,
    error: create.error,
    isPending: create.isPending,
  };
}

const NO_PROBLEMS: ReturnType<typeof problemsByField> = { fields: {}, others: [] };

interface AmountInput {
  readonly amount: string;
  readonly currency: string;
  readonly locale: string;
  /** Remaining amount, in minor units. */
  readonly left: number;
}

/** Minor units of the input. Undefined if the input is no amount, or more than the remaining amount. */
function centsOf({ amount, currency, locale, left }: AmountInput): number | undefined {
  const read = readAmount(amount, currency, locale);
  return 'cents' in read && read.cents > 0 && read.cents <= left ? read.cents : undefined;
}

/** Returns the reason why the input is not a valid amount. */
function useWrong({ amount, currency, locale }: AmountInput, limit: string): string {
  const t = useTexts('payments');
  const amountProblem = useAmountProblem();
  const read = readAmount(amount, currency, locale);
  if ('problem' in read) return amountProblem(read.problem, currency);
  return read.cents === 0 ? t('amount_zero') : limit;
}

/** Returns texts of the form that depend on the amount. */
function useMoneyTexts(props: MoneyProps, typed: string, isLast: boolean) {
  const { kind, payment } = props;
  const t = useTexts('payments');
  const amountText = useAmountText();
  const currency = payment.attributes.amount_currency;
  const remainingCents = leftOf(props);
  const locale = useLocale();
  const entry = { amount: typed, currency, locale, left: remainingCents };
  const cents = centsOf(entry);
  const [amount, remainderCents, all] = [
    cents ?? 0,
    remainingCents - (cents ?? 0),
    remainingCents,
  ].map((it) => amountText(it, currency));
  const limit = t(`${kind}_limit`, { all: all ?? '' });
  const amountError = useWrong(entry, limit);
  const ofPart = kind === 'capture' && !isLast ? 'capture_more' : `${kind}_part`;
  const effect = remainderCents === amountText(0, currency) ? `${kind}_all` : ofPart;
  return {
    amountLabel: t(`${kind}_amount`),
    limit,
    wrong: amountError,
    effect:
      cents === undefined
        ? limit
        : t(effect as 'refund_all', { amount: amount ?? '', rest: remainderCents ?? '' }),
    button: cents === undefined ? t(`do_${kind}`) : t(`${kind}_do`, { amount: amount ?? '' }),
  };
}
