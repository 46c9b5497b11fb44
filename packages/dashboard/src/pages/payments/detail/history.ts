import type { RecordOf, Resource, ResourceType } from '../../../api/types.ts';

/** Relations of a payment that form its history, each with the permission to read it. */
export const historyRelations = {
  payment_attempts: 'transaction.payment_attempts.read',
  capture_demands: 'transaction.capture_demands.read',
  refund_demands: 'transaction.refund_demands.read',
  disputes: 'transaction.disputes.read',
} as const satisfies Partial<Record<ResourceType, string>>;

/** History of a payment, oldest first, limited by the person's permissions. */
export interface History {
  readonly attempts: readonly RecordOf<'payment_attempts'>[];
  readonly captures: readonly RecordOf<'capture_demands'>[];
  readonly refunds: readonly RecordOf<'refund_demands'>[];
  readonly disputes: readonly RecordOf<'disputes'>[];
  /** Whether the account that took the payment is removed, so that nothing can be refunded. */
  readonly isAccountRemoved: boolean;
  /** Whether this account takes one capture of an authorisation only. */
  readonly isCapturedOnce: boolean;
}

/** Groups the records included with a payment by type. */
export function historyOf(included: readonly Resource[]): History {
  const recordsOf = <T extends keyof typeof historyRelations>(type: T): RecordOf<T>[] =>
    (included.filter((record) => record.type === type) as RecordOf<T>[]).toSorted(byCreation);
  return {
    attempts: recordsOf('payment_attempts'),
    captures: recordsOf('capture_demands'),
    refunds: recordsOf('refund_demands'),
    disputes: recordsOf('disputes'),
    isAccountRemoved: accountOf(included)?.removed_at != null,
    isCapturedOnce: accountOf(included)?.several_captures === false,
  };
}

/** Attributes of the merchant's record at the account that approved the payment. Undefined at the simulated network. */
function accountOf(included: readonly Resource[]): Resource['attributes'] | undefined {
  const details = included.flatMap(({ type, attributes, relationships }) => {
    const detail = relationships?.processor_detail?.data;
    const isApproved = attributes.operation === 'authorise' && attributes.status === 'approved';
    return type === 'payment_attempts' && isApproved && detail && 'id' in detail ? detail.id : [];
  });
  return included.find(({ type, id }) => type === 'processor_details' && details.includes(id))
    ?.attributes;
}

type CreatedRecord = { readonly attributes: { readonly created_at: string | null } };

/** Compares texts: all instants of the interface have the same length, so their texts sort by time. */
const byCreation = (a: CreatedRecord, b: CreatedRecord): number =>
  (a.attributes.created_at ?? '').localeCompare(b.attributes.created_at ?? '');
