import type { StandInAnswer } from '../stand-in/answer.ts';
import type { CheckoutCall, CheckoutServices } from './call.ts';
import {
  acceptDispute,
  getDispute,
  getEvidence,
  listDisputes,
  putEvidence,
  submitArbitrationEvidence,
  submitEvidence,
} from './disputes/operations.ts';
import { getFile, uploadFile } from './disputes/upload-file.ts';
import { listFinancialActions } from './finance/financial-actions.ts';
import { getReport, getReportFile, listReports } from './finance/reports.ts';
import { cancelScheduledRetry } from './follow-ups/cancel-retry.ts';
import { incrementPayment } from './follow-ups/increment.ts';
import {
  capturePayment,
  refundPayment,
  reversePayment,
  voidPayment,
} from './follow-ups/operations.ts';
import { getActions, getPayment, listPayments, searchPayments } from './read-payments.ts';
import { requestPayment } from './request-payment.ts';

/** One operation of the interface. `run` is called inside a commit. */
export interface CheckoutRoute {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: RegExp;
  /** Whether successful responses are kept for repeated idempotency keys. */
  readonly isIdempotent?: boolean;
  /** Whether the request names its processing channel. */
  readonly isForChannel?: boolean;
  run(services: CheckoutServices, call: CheckoutCall): StandInAnswer;
}

const routes: readonly CheckoutRoute[] = [
  {
    method: 'POST',
    path: /^\/payments$/,
    isIdempotent: true,
    isForChannel: true,
    run: requestPayment,
  },
  { method: 'GET', path: /^\/payments$/, run: listPayments },
  { method: 'POST', path: /^\/payments\/search$/, run: searchPayments },
  { method: 'GET', path: /^\/payments\/(\w+)$/, run: getPayment },
  { method: 'GET', path: /^\/payments\/(\w+)\/actions$/, run: getActions },
  {
    method: 'POST',
    path: /^\/payments\/(\w+)\/captures$/,
    isIdempotent: true,
    run: capturePayment,
  },
  { method: 'POST', path: /^\/payments\/(\w+)\/voids$/, isIdempotent: true, run: voidPayment },
  { method: 'POST', path: /^\/payments\/(\w+)\/refunds$/, isIdempotent: true, run: refundPayment },
  { method: 'POST', path: /^\/payments\/(\w+)\/reversals$/, run: reversePayment },
  {
    method: 'POST',
    path: /^\/payments\/(\w+)\/cancellations$/,
    isIdempotent: true,
    run: cancelScheduledRetry,
  },
  {
    method: 'POST',
    path: /^\/payments\/(\w+)\/authorizations$/,
    isIdempotent: true,
    run: incrementPayment,
  },
  { method: 'GET', path: /^\/disputes$/, run: listDisputes },
  { method: 'GET', path: /^\/disputes\/(\w+)$/, run: getDispute },
  { method: 'POST', path: /^\/disputes\/(\w+)\/accept$/, run: acceptDispute },
  { method: 'PUT', path: /^\/disputes\/(\w+)\/evidence$/, run: putEvidence },
  { method: 'GET', path: /^\/disputes\/(\w+)\/evidence$/, run: getEvidence },
  { method: 'POST', path: /^\/disputes\/(\w+)\/evidence$/, run: submitEvidence },
  {
    method: 'POST',
    path: /^\/disputes\/(\w+)\/evidence\/arbitration$/,
    run: submitArbitrationEvidence,
  },
  { method: 'GET', path: /^\/financial-actions$/, run: listFinancialActions },
  { method: 'GET', path: /^\/reports$/, run: listReports },
  { method: 'GET', path: /^\/reports\/(\w+)$/, run: getReport },
  { method: 'GET', path: /^\/reports\/(\w+)\/files\/(\w+)$/, run: getReportFile },
  { method: 'POST', path: /^\/files$/, run: uploadFile },
  { method: 'GET', path: /^\/files\/(\w+)$/, run: getFile },
];

/** The operation of a method and path, with the variable parts of the path. */
export function routeOf(
  method: string,
  path: string,
): { readonly route: CheckoutRoute; readonly parts: readonly string[] } | undefined {
  for (const route of routes) {
    const match = route.method === method ? route.path.exec(path) : null;
    if (match) return { route, parts: match.slice(1) };
  }
  return undefined;
}
