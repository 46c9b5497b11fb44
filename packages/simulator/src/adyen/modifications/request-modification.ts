import type { StandInAnswer } from '../../stand-in/answer.ts';
import { type JsonMembers, textOf } from '../../stand-in/members.ts';
import { invalidRequest, noOriginal, unreadable } from '../answers.ts';
import type { AdyenBooks } from '../books.ts';
import type { AdyenCall, AdyenServices } from '../call.ts';
import { type StructureName, unknownMembersError } from '../known-members.ts';
import { type AdyenAmount, parseAmount } from '../money-rules.ts';
import { createPspReference } from '../psp-reference.ts';
import type { AdyenPayment, Modification, ModificationKind } from '../records.ts';

const REFUND_REASONS: readonly unknown[] = [
  'FRAUD',
  'CUSTOMER REQUEST',
  'RETURN',
  'DUPLICATE',
  'OTHER',
];
const REFERENCE_LENGTH_MAX = 80;
const structures = {
  capture: 'PaymentCaptureRequest',
  cancel: 'PaymentCancelRequest',
  technical_cancel: 'StandalonePaymentCancelRequest',
  refund: 'PaymentRefundRequest',
  reversal: 'PaymentReversalRequest',
} as const satisfies Record<ModificationKind, StructureName>;

/** `POST /payments/{psp}/captures`, `/cancels`, `/refunds` and `/reversals`. The response is a receipt. */
export function requestModification(
  services: AdyenServices,
  call: AdyenCall,
  kind: Exclude<ModificationKind, 'technical_cancel'>,
): StandInAnswer {
  const { body, account } = call;
  const fault = modificationFault(kind, body);
  if (fault) return fault;
  const amount = kind === 'capture' || kind === 'refund' ? parseAmount(body.amount, 1) : undefined;
  if (amount && 'status' in amount) return amount;
  const payment = services.books.payments.find(call.paymentPsp);
  if (payment?.account !== account.name) return noOriginal;
  const modification = acceptModification(services, call, {
    kind,
    payment: payment.psp,
    amount: amount ?? { value: 0, currency: payment.currency },
  });
  return receiptOf(call, modification, {
    paymentPspReference: payment.psp,
    ...(amount && { amount }),
    ...membersOfReceipt(body, [
      'merchantRefundReason',
      'capturePspReference',
      'lineItems',
      'store',
    ]),
  });
}

/**
 * `POST /cancels`: cancels the payments of a merchant's reference. The receipt says nothing about whether there are
 * any.
 */
export function cancelByReference(services: AdyenServices, call: AdyenCall): StandInAnswer {
  const fault = modificationFault('technical_cancel', call.body);
  if (fault) return fault;
  const paymentReference = textOf(call.body.paymentReference);
  if (!paymentReference)
    return invalidRequest('130', "Required field 'paymentReference' is not provided.");
  const modification = acceptModification(services, call, {
    kind: 'technical_cancel',
    payment: '',
    amount: { value: 0, currency: '' },
    paymentReference,
  });
  return receiptOf(call, modification, { paymentReference });
}

function modificationFault(kind: ModificationKind, body: JsonMembers): StandInAnswer | undefined {
  const unknown = unknownMembersError(structures[kind], body);
  if (unknown) return unknown;
  const { reference = '', merchantRefundReason: reason } = body;
  if (typeof reference !== 'string' || reference.length > REFERENCE_LENGTH_MAX)
    return unreadable('Unexpected input for reference');
  return reason === undefined || REFUND_REASONS.includes(reason)
    ? undefined
    : unreadable('Unexpected input for merchantRefundReason');
}

interface AcceptedOrder {
  readonly kind: ModificationKind;
  /** Psp reference of the payment, or empty. */
  readonly payment: string;
  readonly amount: AdyenAmount;
  readonly paymentReference?: string;
}

function acceptModification(
  { books, now }: AdyenServices,
  { account, body }: AdyenCall,
  { kind, payment, amount, paymentReference }: AcceptedOrder,
): Modification {
  const requestedAt = now();
  const modification: Modification = {
    psp: createPspReference(),
    payment,
    account: account.name,
    kind,
    amount: amount.value,
    currency: amount.currency,
    reference: textOf(body.reference) ?? null,
    state: 'pending',
    requestedAt,
    dueAt: requestedAt + account.settings.outcome_delay_ms,
    facts: paymentReference ? { paymentReference } : {},
  };
  books.modifications.insert(modification);
  return modification;
}

const receiptOf = (
  { account }: AdyenCall,
  { psp, reference }: Modification,
  members: object,
): StandInAnswer => ({
  status: 201,
  body: {
    merchantAccount: account.name,
    pspReference: psp,
    ...(reference && { reference }),
    status: 'received',
    ...members,
  },
});

const membersOfReceipt = (body: JsonMembers, names: readonly string[]): object =>
  Object.fromEntries(names.flatMap((name) => (name in body ? [[name, body[name]]] : [])));

/** Captures a whole payment after a delay, as accounts without manual capture do. */
export function captureAutomatically(
  books: AdyenBooks,
  { psp, account, amount, currency, requestedAt }: AdyenPayment,
  delay_ms: number,
): void {
  books.modifications.insert({
    psp: createPspReference(),
    payment: psp,
    account,
    kind: 'capture',
    amount,
    currency,
    reference: null,
    state: 'pending',
    requestedAt,
    dueAt: requestedAt + delay_ms,
    facts: { isAutomatic: true },
  });
}
