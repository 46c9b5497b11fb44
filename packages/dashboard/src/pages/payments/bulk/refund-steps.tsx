import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Resource } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ProgressBar } from '../../../parts/feedback/progress-bar.tsx';
import { RefundNotice } from '../refund-notice.tsx';
import { NO_REASON } from '../refund-reason.ts';
import { RefundReasonFields } from '../refund-reason-fields.tsx';
import { runOutcomeOf } from './outcome.ts';
import type { RefundPlan } from './plan.ts';
import { PlanTable } from './plan-table.tsx';
import { RunSummary } from './run-summary.tsx';
import { type createRefundKeys, useRefunds } from './use-refunds.ts';
import { useSumsText } from './use-sums-text.ts';

interface Props {
  readonly plan: RefundPlan;
  readonly included: ReadonlyMap<string, Resource>;
  readonly keyFor: ReturnType<typeof createRefundKeys>;
  readonly onClose: () => void;
  /** Called when a run has sent all refunds of the plan. */
  readonly onSent: () => void;
}

/** Shows the dry run, then the progress of the refunds, then their results. */
export function RefundSteps({ plan, included, keyFor, onClose, onSent }: Props) {
  const t = useTexts('payments');
  const refunds = useRefunds(keyFor);
  const { results, progress } = refunds;
  const [entered, setEntered] = useState(NO_REASON);
  const remaining = plan.refunds.filter(({ payment }) => !results.get(payment.id)?.isDone);
  const isRunning = progress !== undefined;
  const hasBegun = isRunning || results.size > 0;
  const isSent = results.size > 0 && !isRunning && remaining.length === 0;
  useEffect(() => {
    if (isSent) onSent();
  }, [isSent, onSent]);
  return (
    <Stack>
      {!hasBegun && <Sums plan={plan} />}
      {hasBegun && !isRunning && (
        <RunSummary
          outcome={runOutcomeOf(plan.refunds, results)}
          refusedCount={plan.refused.length}
        />
      )}
      <PlanTable plan={plan} included={included} results={results} isLinked={!isRunning} />
      {!hasBegun && <RefundReasonFields entered={entered} onChange={setEntered} />}
      {!hasBegun && plan.refunds.length > 0 && <RefundNotice />}
      {progress && <ProgressBar label={t('bulk_progress', { ...progress })} {...progress} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={isRunning ? refunds.stop : onClose}>
          {t(closeText(isRunning, hasBegun))}
        </Button>
        {remaining.length > 0 && (
          <Button
            loading={isRunning}
            disabled={!entered.reason}
            onClick={() => void refunds.run(remaining, entered)}
          >
            {t.count(hasBegun ? 'bulk_again' : 'bulk_do', remaining.length)}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

const closeText = (isRunning: boolean, hasBegun: boolean) => {
  if (isRunning) return 'bulk_stop';
  return hasBegun ? 'bulk_close' : 'bulk_cancel';
};

function Sums({ plan }: Pick<Props, 'plan'>) {
  const t = useTexts('payments');
  const amounts = useSumsText()(plan.sums);
  return (
    <Text size="sm">
      {plan.refunds.length === 0
        ? t('bulk_nothing')
        : t.count('bulk_sum', plan.refunds.length, { amounts })}{' '}
      {plan.refused.length > 0 && t.count('bulk_refused', plan.refused.length)}
    </Text>
  );
}
