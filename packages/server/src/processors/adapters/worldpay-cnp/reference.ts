const REFERENCE = /^(auth|sale):(\d{1,19})$/;

/** Kind of a payment at Worldpay. A sale is given back by a void, an authorisation by a reversal. */
export type PaymentKind = 'auth' | 'sale';

/** Worldpay's id of a payment with its kind, which later messages need: `sale:84568456`. */
export const paymentReference = (kind: PaymentKind, cnpTxnId: string): string =>
  `${kind}:${cnpTxnId}`;

/** Kind and id of a payment's reference. Throws for a text that is none. */
export function readReference(reference = ''): { readonly kind: PaymentKind; readonly id: string } {
  const [, kind, id] = REFERENCE.exec(reference) ?? [];
  if (!kind || !id) throw new RangeError('The reference is none of cnpAPI.');
  return { kind: kind as PaymentKind, id };
}

/** Reference of a payment by the id that Worldpay's reports show; undefined for another text. */
export function referenceOfId(
  id: string,
  { is_captured }: { readonly is_captured: boolean },
): string | undefined {
  if (REFERENCE.test(id)) return id;
  return /^\d{1,19}$/.test(id) ? paymentReference(is_captured ? 'sale' : 'auth', id) : undefined;
}

/** Id of our query about an attempt or a demand, in at most 36 characters. */
export const queryIdOf = (id: string): string => `q${id.replaceAll('-', '')}`;
