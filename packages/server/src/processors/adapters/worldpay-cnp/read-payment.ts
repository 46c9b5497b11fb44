import type { AuthoriseResult, CardChecks, ProcessorFacts } from '../../port/processor.ts';
import {
  type Answered,
  type Members,
  membersOf,
  textOf,
  unknownResult,
} from '../../port/read-answer.ts';
import { checksOfCodes } from './checks.ts';
import { cnpIdOf, codeOf, undecided } from './read-answer.ts';
import { type PaymentKind, paymentReference } from './reference.ts';
import {
  APPROVED,
  adviceOfCode,
  declineOfCode,
  PARTLY_APPROVED,
  RECEIVED,
} from './response-codes.ts';

/** Names of responses to authorisations and sales. */
export const paymentResponses: readonly (readonly [string, PaymentKind])[] = [
  ['authorizationResponse', 'auth'],
  ['saleResponse', 'sale'],
];

const avsOf = ({ fraudResult }: Members) => textOf(membersOf(fraudResult).avsResult);
const cvvOf = ({ fraudResult }: Members) => textOf(membersOf(fraudResult).cardValidationResult);

const checksOf = (payment: Members): CardChecks => checksOfCodes(avsOf(payment), cvvOf(payment));

function factsOf(payment: Members, kind: PaymentKind): ProcessorFacts {
  const id = cnpIdOf(payment);
  const codes = {
    response: codeOf(payment),
    avs_result: avsOf(payment),
    card_validation_result: cvvOf(payment),
  };
  const texts = Object.entries(codes).filter(([, value]) => value !== undefined);
  return {
    ...(id !== undefined && { processor_reference: paymentReference(kind, id) }),
    ...(texts.length > 0 && { codes: Object.fromEntries(texts) as Record<string, string> }),
  };
}

/** Result of an authorisation's or a sale's response. A code that is not known decides nothing. */
export function paymentResult(
  answer: Answered,
  payment: Members,
  kind: PaymentKind,
): AuthoriseResult {
  const code = codeOf(payment) ?? '';
  const facts = factsOf(payment, kind);
  if (RECEIVED.includes(code)) return { result: 'pending', ...facts };
  if (APPROVED.includes(code)) return approvalOf(payment, facts);
  if (code === PARTLY_APPROVED) return partialApprovalOf(payment, facts);
  const decline = declineOfCode(code);
  if (!decline) return undecided(answer, code || undefined);
  const advice = adviceOfCode(code);
  return {
    result: 'declined',
    code: decline,
    ...(advice && { advice }),
    ...checksOf(payment),
    ...facts,
  };
}

/** An approval without an id could be neither captured nor reversed, so a query has to find it. */
function approvalOf(payment: Members, facts: ProcessorFacts): AuthoriseResult {
  if (facts.processor_reference === undefined) return unknownResult('Worldpay sent no cnpTxnId.');
  return {
    result: 'approved',
    authorisation_code: textOf(payment.authCode) ?? null,
    network_transaction_id: textOf(payment.networkTransactionId) ?? null,
    ...checksOf(payment),
    ...facts,
  };
}

function partialApprovalOf({ approvedAmount }: Members, facts: ProcessorFacts): AuthoriseResult {
  const amount = textOf(approvedAmount);
  return facts.processor_reference === undefined || !amount || !/^\d{1,12}$/.test(amount)
    ? unknownResult('Worldpay approved an amount that cannot be read.')
    : { result: 'partly_approved', approvedAmount: Number(amount), ...facts };
}
