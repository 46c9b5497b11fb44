import { derivedId, millisOfId } from '../../platform/ids.ts';

/**
 * Id of a payment's authorisation with this number, from 1. The id follows from the payment, so that a restored Florin can
 * ask for a message that its database does not know.
 */
export const authorisationId = (payment_id: string, number: number): string =>
  derivedId(millisOfId(payment_id), number, ['authorisation', payment_id, String(number)]);

/** Highest number of an authorisation that a restored Florin asks for. */
export const AUTHORISATIONS_MAX = 500;

/**
 * Number of the last authorisation among the attempts of a payment. A restored Florin may lack earlier ones, and attempts of
 * old releases have random ids, so that neither their number nor their ids alone tell. Pure.
 */
export function lastNumberOf(payment_id: string, ids: readonly string[]): number {
  const left = new Set(ids);
  let last = ids.length;
  for (let number = 1; left.size > 0 && number <= AUTHORISATIONS_MAX; number++)
    if (left.delete(authorisationId(payment_id, number))) last = Math.max(last, number);
  return last;
}

/** Number of an authorisation of a payment by its id. Undefined for ids of old releases, and for numbers beyond the limit. */
export function numberOf(payment_id: string, id: string): number | undefined {
  for (let number = 1; number <= AUTHORISATIONS_MAX; number++)
    if (authorisationId(payment_id, number) === id) return number;
  return undefined;
}
