import { ScrollArea } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RecordOf, Resource } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { recordPath } from '../../../parts/page/record-path.ts';
import { relatedOf } from '../../../parts/table/column.ts';
import { SimpleTable } from '../../../parts/table/simple-table.tsx';
import { Money } from '../../../parts/value/money.tsx';
import { explainedCodeOf } from './explained-code.ts';
import type { RefundPlan } from './plan.ts';
import type { RefundResult } from './use-refunds.ts';

interface Props {
  readonly plan: RefundPlan;
  readonly included: ReadonlyMap<string, Resource>;
  readonly results: ReadonlyMap<string, RefundResult>;
  /** Whether the payments are links. Leaving the page would stop the refunds that are running. */
  readonly isLinked: boolean;
}

const TABLE_MAX_PX = 320;

/** The payments of a plan: what is refunded of each, or why it is not, and the result. */
export function PlanTable({ plan, included, results, isLinked }: Props) {
  const t = useTexts('payments');
  const resultText = useResultText();
  const nameOf = (payment: RecordOf<'payment_demands'>): ReactNode => {
    const payer = relatedOf(payment as Resource, included)('payer')?.attributes.email;
    const { purchase_reference } = payment.attributes;
    const name = [purchase_reference ?? payment.id, payer].filter(Boolean).join(', ');
    if (!isLinked) return name;
    return (
      <ScopedLink key="name" to={recordPath('payment_demands', payment.id)}>
        {name}
      </ScopedLink>
    );
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

/** Returns a function that says the result of a refund, in the language of the person. */
function useResultText(): (result: RefundResult | undefined) => string {
  const t = useTexts('payments');
  return (result) => {
    if (!result) return t('bulk_waiting');
    if (result.isDone) return t('bulk_result_sent');
    if (!result.isRefused) return t('bulk_result_unsure');
    const { error } = result;
    const code = explainedCodeOf(error);
    if (code) return t(`bulk_error_${code}`);
    const reason = error instanceof Error ? error.message : String(error);
    return t('bulk_error', { reason });
  };
}
