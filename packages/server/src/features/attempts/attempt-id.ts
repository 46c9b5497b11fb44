import { derivedId, millisOfId } from '../../platform/ids.ts';

/**
 * Id of a payment's authorisation with this number, from 1. The id follows from the payment, so that a restored Florin can
 * ask for a message that its database does not know.
 */
export const authorisationId = (payment_id: string, number: number): string =>
  derivedId(millisOfId(payment_id), number, ['authorisation', payment_id, String(number)]);
