import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { callInterface } from '../../../api/client.ts';
import { addressOf, type FetchedPage } from '../../../api/queries.ts';
import { useScope } from '../../../api/scope.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Loading } from '../../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { DialogFrame } from '../../../parts/form/dialog-frame.tsx';
import { includedByKey } from '../../../parts/table/column.ts';
import { usePaymentInclude } from '../payment-columns.tsx';
import { planRefunds } from './plan.ts';
import { RefundSteps } from './refund-steps.tsx';
import type { createRefundKeys } from './use-refunds.ts';

interface Props {
  /** Payments to refund. */
  readonly ids: readonly string[];
  /** Names the search and filters of the list that they were chosen from; empty without any. */
  readonly listed: string;
  /** Idempotency keys of the payments' refunds. */
  readonly keyFor: ReturnType<typeof createRefundKeys>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Called when a run has sent all refunds that are possible. */
  readonly onSent: () => void;
}

/** Refunds several payments after a dry run, which shows what is refunded and what cannot be. */
export function RefundDialog({ ids, listed, keyFor, isOpen, onClose, onSent }: Props) {
  const t = useTexts('payments');
  const count = ids.length;
  const title = listed
    ? t.count('bulk_refund_title_of', count, { listed })
    : t.count('bulk_refund_title', count);
  return (
    <DialogFrame isOpen={isOpen} onClose={onClose} title={title} isWide>
      <DryRun ids={ids} keyFor={keyFor} onClose={onClose} onSent={onSent} />
    </DialogFrame>
  );
}

/** Reads the payments as they are now. The plan then stays, whatever the refunds change. */
function DryRun({ ids, keyFor, onClose, onSent }: Omit<Props, 'isOpen' | 'listed'>) {
  const [selected] = useState(ids);
  const opened = useId();
  const include = usePaymentInclude();
  const scope = useScope();
  const path = addressOf('payment_demands', {
    'filter[id]': selected.join(','),
    'page[size]': String(selected.length),
    include,
  });
  const { data, error } = useQuery({
    queryKey: ['refund-plan', opened],
    queryFn: async ({ signal }) =>
      (await callInterface<FetchedPage<'payment_demands'>>(scope, path, { signal })).document,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (error) return <ProblemAlert error={error} />;
  if (!data) return <Loading />;
  return (
    <RefundSteps
      plan={planRefunds(data.data)}
      included={includedByKey(data.included ?? [])}
      keyFor={keyFor}
      onClose={onClose}
      onSent={onSent}
    />
  );
}
