import { Paper } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { useScope } from '../../api/scope.ts';
import type { RecordOf } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EmptyState } from '../../parts/feedback/empty-state.tsx';
import { LeaveGuard } from '../../parts/form/leave-guard.tsx';
import { CardStep } from './checkout/card-step.tsx';
import { OutcomeStep } from './checkout/outcome-step.tsx';
import { RetryStep } from './checkout/retry-step.tsx';
import type { CheckoutType } from './checkout/use-intent.ts';
import type { CheckoutDetails } from './details/use-checkout-details.ts';

const WIDTH_PX = 640;

/** Frame of the steps. Without a processor, it says that nothing can be paid. */
export function TerminalFrame({ children }: { readonly children: ReactNode }) {
  const t = useTexts('payments');
  const { takes_payments } = useScope();
  if (!takes_payments) return <EmptyState title={t('none')} hint={t('closed')} />;
  return (
    <Paper withBorder p="md" maw={WIDTH_PX}>
      {children}
    </Paper>
  );
}

interface Props {
  readonly type: CheckoutType;
  readonly details: CheckoutDetails;
  readonly payText: string;
  /** Prepares another purchase. The inputs are emptied already. */
  readonly onRestart: () => void;
  /** Further text about a success. */
  readonly onSuccess?: (record: RecordOf<CheckoutType>) => ReactNode;
  /** First step. */
  readonly children: ReactNode;
}

/** The steps of a checkout by a member: details, card, outcome, and another card after a decline. */
export function Terminal({ type, details, payText, onRestart, onSuccess, children }: Props) {
  const { checkout, payer, form } = details;
  const { step, id = '' } = checkout;
  const restart = () => {
    form.clear();
    checkout.restart();
    onRestart();
  };
  return (
    <>
      <UnsavedGuard isChanged={step !== 'outcome' && form.values.amount !== ''} />
      {step === 'details' && children}
      {step === 'card' && <CardStep type={type} id={id} checkout={checkout} payText={payText} />}
      {step === 'retry' && <RetryStep checkout={checkout} payer={payer} payText={payText} />}
      {step === 'outcome' && (
        <OutcomeStep type={type} id={id} checkout={checkout} onRestart={restart}>
          {onSuccess}
        </OutcomeStep>
      )}
    </>
  );
}

/** Asks before the person leaves a form that is not sent. */
function UnsavedGuard({ isChanged }: { readonly isChanged: boolean }) {
  const latest = useRef(isChanged);
  latest.current = isChanged;
  const form = useRef({ isChanged: () => latest.current, draft: () => undefined });
  return <LeaveGuard form={form} />;
}
