import type { AuthorisationAnswer } from '@florin/contract/protocol/network.ts';
import { resultWithoutResponse, type WireAnswer } from '../port/message.ts';
import type {
  ApprovedResult,
  AuthoriseResult,
  CardChecks,
  InquireResult,
  ReverseResult,
} from '../port/processor.ts';
import { isIdOrCode, unknownResult } from '../port/read-answer.ts';
import { bodyOf, isNotFound } from './read-answer.ts';
import { declineCodeOf } from './response-codes.ts';

const cvcChecks = new Map([
  ['M', 'match'],
  ['N', 'mismatch'],
  ['P', 'unprocessed'],
] as const);
/** Checks of address line and postal code. */
const addressChecks = new Map([
  ['Y', ['match', 'match']],
  ['A', ['match', 'mismatch']],
  ['Z', ['mismatch', 'match']],
  ['N', ['mismatch', 'mismatch']],
] as const);
const UNVERIFIED = ['unverified', 'unverified'] as const;

function checksOf({ avs = 'U', cvc = 'P' }: Partial<AuthorisationAnswer>): CardChecks {
  const [line, postalCode] = addressChecks.get(avs as 'Y') ?? UNVERIFIED;
  return {
    cvc2_check: cvcChecks.get(cvc) ?? 'unprocessed',
    address_line1_verification: line,
    postal_code_verification: postalCode,
  };
}

export function toAuthoriseResult(answer: WireAnswer, expected?: string): AuthoriseResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  const body = bodyOf<AuthorisationAnswer>(answer.status, answer.body, expected);
  if (!body) return unknownResult(`The network answered ${answer.status}.`);
  const { result, response_code, authorisation_code, network_transaction_id } = body;
  const { approved_amount } = body;
  const checks = checksOf(body);
  if (result === 'approved' && approved_amount !== undefined)
    return toPartialApproval(approved_amount);
  if (result === 'approved' && isIdOrCode(authorisation_code)) {
    return {
      result,
      authorisation_code,
      network_transaction_id: isIdOrCode(network_transaction_id) ? network_transaction_id : null,
      ...checks,
      ...moneyOf(body),
    };
  }
  if (result === 'declined' && isIdOrCode(response_code)) {
    return { result, code: declineCodeOf(response_code), ...checks };
  }
  // Reversed at our own request: nothing is charged, and the issuer did not decline.
  if (result === 'reversed')
    return { result: 'declined', code: 'processor_unreachable', ...checks };
  return unknownResult('The network answered in a form that cannot be read.');
}

/** Answers to inquiries tell the amount. */
const moneyOf = ({
  amount,
  currency,
}: Partial<AuthorisationAnswer>): Pick<ApprovedResult, 'money'> =>
  Number.isSafeInteger(amount) && isIdOrCode(currency)
    ? { money: { amount: amount as number, currency } }
    : {};

const toPartialApproval = (approvedAmount: unknown): AuthoriseResult =>
  typeof approvedAmount === 'number' && Number.isSafeInteger(approvedAmount) && approvedAmount >= 0
    ? { result: 'partly_approved', approvedAmount }
    : unknownResult('The network approved an amount that cannot be read.');

export const toInquireResult = (answer: WireAnswer, expected?: string): InquireResult =>
  isNotFound(answer) ? { result: 'not_found' } : toAuthoriseResult(answer, expected);

export function toReverseResult(answer: WireAnswer, expected?: string): ReverseResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  const result = bodyOf<AuthorisationAnswer>(answer.status, answer.body, expected)?.result;
  if (result === 'reversed') return { result };
  if (result === 'declined' || result === 'approved')
    return { result: 'refused', why: `The authorisation is ${result}.` };
  return unknownResult(`The network answered ${answer.status} to a reversal.`);
}
