import { ScrollArea } from '@mantine/core';
import { isRefusal } from '../../../api/errors.ts';
import type { RecordOf, Resource } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { relatedOf } from '../../../parts/table/column.ts';
import { SimpleTable } from '../../../parts/table/simple-table.tsx';
import { Money } from '../../../parts/value/money.tsx';
import type { RefundPlan } from './plan.ts';
import type { RefundResult } from './use-refunds.ts';

interface Props {
  readonly plan: RefundPlan;
  readonly included: ReadonlyMap<string, Resource>;
  readonly results: ReadonlyMap<string, RefundResult>;
}

const TABLE_MAX_PX = 320;

/** The payments of a plan: what is refunded of each, or why it is not, and the result. */
export function PlanTable({ plan, included, results }: Props) {
  const t = useTexts('payments');
  const resultText = useResultText();
  const nameOf = (payment: RecordOf<'payment_demands'>): string => {
    const payer = relatedOf(payment as Resource, included)('payer')?.attributes.email;
    const { purchase_reference } = payment.attributes;
    return [purchase_reference ?? payment.id, payer].filter(Boolean).join(', ');
  };
  return (
    <ScrollArea.Autosize mah={TABLE_MAX_PX} type="auto">
      <SimpleTable
        label={t('bulk_plan')}
        heads={[t('payment'), t('refund_amount'), t('bulk_result')]}
        rows={[
          ...plan.refunds.map(({ payment, cents }) => ({
            key: payment.id,
            cells: [
              nameOf(payment),
              <Money key="amount" cents={cents} currency={payment.attributes.amount_currency} />,
              resultText(results.get(payment.id)),
            ],
          })),
          ...plan.refused.map(({ payment, refusal }) => ({
            key: payment.id,
            cells: [nameOf(payment), '–', t(`bulk_not_${refusal}`)],
          })),
        ]}
      />
    </ScrollArea.Autosize>
  );
}

function useResultText(): (result: RefundResult | undefined) => string {
  const t = useTexts('payments');
  return (result) => {
    if (!result) return t('bulk_waiting');
    if (result.isDone) return t('bulk_created');
    if (!result.isRefused && !isRefusal(result.error)) return t('bulk_unanswered');
    return result.error instanceof Error ? result.error.message : String(result.error);
  };
}
