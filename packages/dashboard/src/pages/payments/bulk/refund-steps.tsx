import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useRegistry } from '../../../api/registry.ts';
import type { Resource } from '../../../api/types.ts';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ProgressBar } from '../../../parts/feedback/progress-bar.tsx';
import { useAmountText } from '../../../parts/value/money.tsx';
import type { RefundPlan } from './plan.ts';
import { PlanTable } from './plan-table.tsx';
import { type createRefundKeys, type RefundResult, useRefunds } from './use-refunds.ts';

interface Props {
  readonly plan: RefundPlan;
  readonly included: ReadonlyMap<string, Resource>;
  readonly keyFor: ReturnType<typeof createRefundKeys>;
  readonly onClose: () => void;
}

/** Shows the dry run, then the progress of the refunds, then their results. */
export function RefundSteps({ plan, included, keyFor, onClose }: Props) {
  const t = useTexts('payments');
  const refunds = useRefunds(keyFor);
  const { results, progress } = refunds;
  const [reason, setReason] = useState('');
  const remaining = plan.refunds.filter(({ payment }) => !results.get(payment.id)?.isDone);
  const unanswered = remaining.filter(({ payment }) => isUnanswered(results.get(payment.id)));
  const isRunning = progress !== undefined;
  const hasBegun = isRunning || results.size > 0;
  return (
    <Stack>
      <Sums plan={plan} />
      <PlanTable plan={plan} included={included} results={results} />
      {!hasBegun && <ReasonSelect reason={reason} choose={setReason} />}
      {progress && <ProgressBar label={t('bulk_progress', { ...progress })} {...progress} />}
      {hasBegun && !isRunning && (
        <Summary plan={plan} left={remaining.length} unanswered={unanswered.length} />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={isRunning ? refunds.stop : onClose}>
          {t(closeText(isRunning, hasBegun))}
        </Button>
        {remaining.length > 0 && (
          <Button
            loading={isRunning}
            disabled={!reason}
            onClick={() => void refunds.run(remaining, reason)}
          >
            {t.count(hasBegun ? 'bulk_again' : 'bulk_do', remaining.length)}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

const isUnanswered = (result: RefundResult | undefined): boolean =>
  result?.isDone === false && !result.isRefused;

const closeText = (isRunning: boolean, hasBegun: boolean) => {
  if (isRunning) return 'bulk_stop';
  return hasBegun ? 'bulk_close' : 'bulk_cancel';
};

function Sums({ plan }: Pick<Props, 'plan'>) {
  const t = useTexts('payments');
  const amountText = useAmountText();
  const amounts = plan.sums.map(({ currency, cents }) => amountText(cents, currency)).join(' + ');
  return (
    <Text size="sm">
      {plan.refunds.length === 0
        ? t('bulk_nothing')
        : t.count('bulk_sum', plan.refunds.length, { amounts })}{' '}
      {plan.refused.length > 0 && t.count('bulk_refused', plan.refused.length)}
    </Text>
  );
}

interface ReasonProps {
  readonly reason: string;
  readonly choose: (reason: string) => void;
}

function ReasonSelect({ reason, choose }: ReasonProps) {
  const t = useTexts('payments');
  const names = useNames();
  const reasons = useRegistry().refund_demands.fields.reason?.values ?? [];
  return (
    <NativeSelect
      label={t('refund_reason')}
      value={reason}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
      data={[
        { value: '', label: t('refund_reason_choose') },
        ...reasons.map((value) => ({ value, label: names.value(value) })),
      ]}
      required
    />
  );
}

interface SummaryProps extends Pick<Props, 'plan'> {
  /** Payments without a refund that is certain. */
  readonly left: number;
  /** Payments among them whose refund may exist. */
  readonly unanswered: number;
}

function Summary({ plan, left, unanswered }: SummaryProps) {
  const refused = left - unanswered;
  const t = useTexts('payments');
  return (
    <Text size="sm" fw={600} role="status">
      {t.count('bulk_done', plan.refunds.length - left)}{' '}
      {refused > 0 && t.count('bulk_left', refused)}{' '}
      {unanswered > 0 && t.count('bulk_unsure', unanswered)}
    </Text>
  );
}
