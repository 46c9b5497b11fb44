import type { StandInAnswer } from '../stand-in/answer.ts';
import type { AdyenCall, AdyenServices } from './call.ts';
import { listPaymentMethods } from './list-payment-methods.ts';
import { cancelByReference, requestModification } from './modifications/request-modification.ts';
import type { ModificationKind } from './records.ts';
import { requestAdyenPayment } from './request-payment.ts';

/** Serves one operation. Called inside a commit. */
type Operation = (services: AdyenServices, call: AdyenCall) => StandInAnswer;

const PAYMENT_PATH = /^\/payments\/([0-9A-Za-z]{1,64})\/(captures|cancels|refunds|reversals)$/;
const kindByPart: Readonly<Record<string, Exclude<ModificationKind, 'technical_cancel'>>> = {
  captures: 'capture',
  cancels: 'cancel',
  refunds: 'refund',
  reversals: 'reversal',
};
/** Test and live addresses: live ones have one more part. */
const VERSION_PREFIX = /^(?:\/checkout)?\/v72(?=\/)/;

/** The operation of a `POST` path, with the payment's psp reference from the path. */
export function operationOf(
  path: string,
): { readonly run: Operation; readonly paymentPsp: string } | undefined {
  if (!VERSION_PREFIX.test(path)) return undefined;
  const operation = path.replace(VERSION_PREFIX, '');
  if (operation === '/payments') return { run: requestAdyenPayment, paymentPsp: '' };
  if (operation === '/paymentMethods') return { run: listPaymentMethods, paymentPsp: '' };
  if (operation === '/cancels') return { run: cancelByReference, paymentPsp: '' };
  const [, paymentPsp = '', part = ''] = PAYMENT_PATH.exec(operation) ?? [];
  const kind = kindByPart[part];
  return kind && { run: (services, call) => requestModification(services, call, kind), paymentPsp };
}
