import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Draft, useCreate } from '../../../api/queries.ts';
import { usePaidCounts } from './use-paid-counts.ts';

interface MergeValues {
  /** Id of the other customer; empty until one is chosen. */
  readonly other: string;
  /** Whether the other customer remains, and not the one of the page; undefined until the person chooses. */
  readonly keepsOther: boolean | undefined;
  readonly reason: string;
}

/** Holds a merge that is first compared, and then done. */
export function useMerge(customer: string, start = '') {
  const [values, setValues] = useState<MergeValues>({
    other: start,
    keepsOther: undefined,
    reason: '',
  });
  const preview = useCreate('customer_merges');
  const create = useCreate('customer_merges');
  const queries = useQueryClient();
  const { other, reason } = values;
  const counts = usePaidCounts(customer, other);
  /** The customer of the page remains, unless only the other one has paid. */
  const keepsOther = values.keepsOther ?? (counts.own?.count === 0 && !!counts.other?.count);
  const [source, target] = keepsOther ? [customer, other] : [other, customer];
  const draftOf = (attributes: Draft['attributes']): Draft => ({
    attributes: { ...attributes },
    relationships: {
      source: { data: { type: 'customers', id: source } },
      target: { data: { type: 'customers', id: target } },
    },
  });
  return {
    ...{ values, source, target, counts, keepsOther },
    /** Another choice of customers discards the preview. */
    set: (changes: Partial<MergeValues>) => {
      setValues({ ...values, ...('other' in changes && { keepsOther: undefined }), ...changes });
      create.reset();
      if (!('reason' in changes)) preview.reset();
    },
    preview: preview.data,
    result: create.data,
    error: create.error ?? preview.error,
    isPending: preview.isPending || create.isPending,
    ask: () => preview.mutate(draftOf({ dry_run: true })),
    merge: (onSuccess: (completed_at: string | null) => void) =>
      create.mutate(draftOf(reason.trim() ? { reason: reason.trim() } : {}), {
        onSuccess: ({ attributes }) => {
          // The figures of the customer are a call of the dashboard, which a new record alone does not renew.
          void queries.invalidateQueries({ queryKey: ['dashboard'] });
          onSuccess(attributes.completed_at);
        },
      }),
  };
}

export type Merge = ReturnType<typeof useMerge>;
