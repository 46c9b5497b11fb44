import type { PaymentNotes } from '@florin/contract/payment-notes.ts';
import { useDashboard } from '../../../../api/queries.ts';

/** Reads the notes about a payment, and the names that a new note can mention. */
export const useNotes = (payment_id: string) =>
  useDashboard<PaymentNotes>(`payments/${payment_id}/notes`);
