import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { keyOf, recordQuery } from '../../../api/queries.ts';
import { useCan, useScope } from '../../../api/scope.ts';
import type { Attributes, RecordOf } from '../../../api/types.ts';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { TestCardHint } from '../../../parts/feedback/test-card-hint.tsx';
import { LinkButton } from '../../../parts/page/links.tsx';
import { recordPath } from '../../../parts/page/record-path.ts';
import { Instant } from '../../../parts/value/instant.tsx';
import { useAmountText } from '../../../parts/value/money.tsx';
import { payerText } from '../payer/payer-text.ts';
import { type Outcome, outcomeOf, shownOutcome } from './outcome.ts';
import { StepTitle } from './step-title.tsx';
import type { Checkout } from './use-checkout.ts';
import type { CheckoutType } from './use-intent.ts';

/** Intervals of outcomes that may still change: a confirmation without a response can arrive late. */
const POLL_MS: Partial<Record<Outcome, number>> = { waiting: 700, unsent: 700, unknown: 5_000 };
/** Time for which this page waits for the outcome. Afterwards it is unknown. */
const WAIT_MS_MAX = 60_000;

interface Props {
  readonly checkout: Checkout;
  readonly type: CheckoutType;
  readonly id: string;
  readonly onRestart: () => void;
  /** Further text about a success, such as the next charge. */
  readonly children?: ((record: RecordOf<CheckoutType>) => ReactNode) | undefined;
}

/** Waits for the outcome and shows it, with the next step. */
export function OutcomeStep({ checkout, type, id, onRestart, children }: Props) {
  const { record, outcome, error, refetch } = useOutcome(checkout, type, id);
  if (!record || !outcome) {
    return error ? <ProblemAlert error={error} onRetry={() => void refetch()} /> : <Waiting />;
  }
  return (
    <Stack>
      {outcome === 'waiting' ? <Waiting /> : <Result outcome={outcome} record={record} />}
      {(outcome === 'paid' || outcome === 'held') && children?.(record)}
      {checkout.error !== null && <ProblemAlert error={checkout.error} />}
      <NextSteps checkout={checkout} outcome={outcome} record={record} onRestart={onRestart} />
    </Stack>
  );
}

function useOutcome(checkout: Checkout, type: CheckoutType, id: string) {
  const { isUnanswered, arrived } = checkout;
  const [isExhausted, setExhausted] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setExhausted(true), WAIT_MS_MAX);
    return () => clearTimeout(timer);
  }, []);
  const shownOf = (record: RecordOf<CheckoutType>) =>
    shownOutcome(outcomeOf(record), { isUnanswered, isExhausted });
  const { data, error, refetch } = useQuery({
    ...recordQuery(useScope(), type, id),
    // A second charge of the same payment must not show the outcome of the first.
    gcTime: 0,
    staleTime: 0,
    refetchInterval: ({ state: { data: read } }) => {
      const shown = read && shownOf(read.record);
      return (shown && !(isExhausted && shown === 'unsent') && POLL_MS[shown]) || false;
    },
  });
  const record = data?.record;
  const outcome = record && shownOf(record);
  useFreshPayments(outcome !== undefined && !(outcome in POLL_MS));
  useEffect(() => {
    if (record && outcomeOf(record) !== 'declined') arrived();
  }, [record, arrived]);
  return { record, outcome, error, refetch };
}

/** Reads lists of payments again after an outcome: the choice of another card marks the card just declined. */
function useFreshPayments(isFinal: boolean): void {
  const { merchant, mode } = useScope();
  const queries = useQueryClient();
  useEffect(() => {
    const queryKey = keyOf({ merchant, mode }, 'payment_demands', 'page');
    if (isFinal) void queries.invalidateQueries({ queryKey });
  }, [isFinal, merchant, mode, queries]);
}

function Waiting() {
  const t = useTexts('terminal');
  return (
    <Group role="status" gap="sm">
      <Loader size="sm" aria-hidden />
      <StepTitle>{t('outcome_waiting')}</StepTitle>
    </Group>
  );
}

const colors: Readonly<Record<Exclude<Outcome, 'waiting'>, string>> = {
  paid: 'florin',
  held: 'florin',
  declined: 'red',
  unknown: 'yellow',
  unsent: 'yellow',
  canceled: 'yellow',
};

interface ResultProps {
  readonly outcome: Exclude<Outcome, 'waiting'>;
  readonly record: RecordOf<CheckoutType>;
}

function Result({ outcome, record }: ResultProps) {
  const t = useTexts('terminal');
  const names = useNames();
  const amountText = useAmountText();
  const { amount_cents, amount_currency, failure_reason } = record.attributes;
  const isSubscription = record.type === 'payment_subscriptions';
  const { hold_expires_at } = record.attributes as Partial<Attributes<'payment_demands'>>;
  const title = outcome === 'paid' && isSubscription ? 'started' : outcome;
  return (
    <Alert color={colors[outcome]} variant="light" role="status">
      <StepTitle>
        {t(`outcome_${title}`, {
          amount: amountText(amount_cents, amount_currency),
          reason: names.value(failure_reason ?? 'generic_decline'),
        })}
      </StepTitle>
      <Text size="sm" mt={4}>
        {t(`outcome_${title}_hint`)}{' '}
        {outcome === 'held' && hold_expires_at && (
          <>
            {t('hold_ends')} <Instant at={hold_expires_at} />
          </>
        )}
      </Text>
      <Payer record={record} />
      {outcome === 'declined' && <TestCardHint reason={failure_reason} />}
    </Alert>
  );
}

/** Says whose payment it is, to a person who may read customers. */
function Payer({ record }: Pick<ResultProps, 'record'>) {
  const t = useTexts('terminal');
  const { data: payer } = record.relationships?.payer ?? {};
  const id = payer && 'id' in payer ? payer.id : '';
  const isReadable = useCan()('consumer.customers.read') && id !== '';
  const { data } = useQuery({ ...recordQuery(useScope(), 'customers', id), enabled: isReadable });
  if (!data) return null;
  return <Text size="sm">{t('outcome_customer', { customer: payerText(data.record) })}</Text>;
}

interface NextProps extends Pick<Props, 'checkout' | 'onRestart'> {
  readonly outcome: Outcome;
  readonly record: RecordOf<CheckoutType>;
}

function NextSteps({ checkout, outcome, record, onRestart }: NextProps) {
  const t = useTexts('terminal');
  const isSubscription = record.type === 'payment_subscriptions';
  /** Another payment for the same purchase would charge the customer twice. */
  const mayBeCharged = outcome === 'waiting' || outcome === 'unsent' || outcome === 'unknown';
  return (
    <Group>
      {outcome === 'declined' && (
        <Button onClick={checkout.chooseOtherCard}>{t('card_other')}</Button>
      )}
      {outcome === 'unsent' && (
        <Button loading={checkout.isPending} onClick={() => void checkout.sendAgain()}>
          {t('send_again')}
        </Button>
      )}
      {outcome !== 'unsent' && (
        <LinkButton to={recordPath(record.type, record.id)} variant="default">
          {t(isSubscription ? 'open_subscription' : 'open_payment')}
        </LinkButton>
      )}
      {!mayBeCharged && (
        <Button variant={outcome === 'declined' ? 'default' : 'filled'} onClick={onRestart}>
          {t(isSubscription ? 'another_subscription' : 'another_payment')}
        </Button>
      )}
    </Group>
  );
}
