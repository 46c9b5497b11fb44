import { useRecord } from '../../api/queries.ts';
import { useReadable } from '../../parts/record/record-page.tsx';

const relations = {
  'payment_attempts.processor_detail': 'banking.processor_details.read',
  payment_attempts: 'transaction.payment_attempts.read',
  refund_demands: 'transaction.refund_demands.read',
} as const;

/** Reads the payment with its refunds, and the account that took it. */
export const usePaymentOf = (id: string) =>
  useRecord('payment_demands', id, useReadable(relations));
