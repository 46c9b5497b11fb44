import {
  networkPaths,
  type RefundAnswer,
  type RefundRequest,
} from '@florin/contract/protocol/network.ts';
import {
  type InquireRefundResult,
  type RefundInput,
  type RefundInquiry,
  type RefundResult,
  unanswered,
  type WireAnswer,
  type WireRequest,
} from '../processor.ts';
import { timeouts } from './metadata.ts';
import { bodyOf, isNotFound, isRefused, isToken, unknown } from './read-answer.ts';

export function refundRequest(
  simulatorUrl: string,
  { refund_id, attempt_id, amount, currency }: RefundInput,
): WireRequest {
  const body: RefundRequest = { reference: refund_id, amount, currency };
  return {
    method: 'POST',
    url: simulatorUrl + networkPaths.refundsOf(attempt_id),
    headers: { 'content-type': 'application/json' },
    body,
    timeout_ms: timeouts.refund,
  };
}

export const inquireRefundRequest = (
  simulatorUrl: string,
  { refund_id }: RefundInquiry,
): WireRequest => ({
  method: 'GET',
  url: `${simulatorUrl}${networkPaths.refunds}/${refund_id}`,
  headers: {},
  timeout_ms: timeouts.inquire,
});

export function refundResult(answer: WireAnswer): RefundResult {
  if (answer.outcome !== 'answered') return unanswered(answer);
  const body = bodyOf<RefundAnswer>(answer.status, answer.body);
  if (isRefused(answer.status)) {
    return { result: 'refused', why: `The network answered ${answer.status} to a refund.` };
  }
  if (!body) return unknown(`The network answered ${answer.status} to a refund.`);
  const { result, response_code, network_transaction_id } = body;
  if (result === 'approved') {
    return {
      result,
      network_transaction_id: isToken(network_transaction_id) ? network_transaction_id : null,
    };
  }
  if (result === 'declined' && isToken(response_code)) return { result, code: 'refund_declined' };
  return unknown('The network answered in a form that cannot be read.');
}

export const inquireRefundResult = (answer: WireAnswer): InquireRefundResult =>
  isNotFound(answer) ? { result: 'not_found' } : refundResult(answer);
