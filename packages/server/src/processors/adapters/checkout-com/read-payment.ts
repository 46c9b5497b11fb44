import type { Money } from '../../port/message.ts';
import { fromProcessorUnits } from '../../port/minor-units.ts';
import type {
  AuthoriseResult,
  DeclinedResult,
  PendingResult,
  ProcessorFacts,
} from '../../port/processor.ts';
import { type Members, membersOf, textOf, unknownResult } from '../../port/read-answer.ts';
import { checksOfSource } from './checks.ts';
import { checkoutExponents } from './metadata.ts';
import { checkoutAdviceOf, checkoutDeclineOf } from './response-codes.ts';

function factsOf({ id, response_code, processing, source }: Members): ProcessorFacts {
  const { avs_check, cvv_check } = membersOf(source);
  const { partner_response_code, recommendation_code } = membersOf(processing);
  const codes = {
    response_code,
    recommendation_code,
    partner_response_code,
    avs_check,
    cvv_check,
  };
  const texts = Object.entries(codes).flatMap(([name, value]) => {
    const text = textOf(value);
    return text === undefined ? [] : [[name, text] as const];
  });
  const reference = textOf(id);
  return {
    ...(reference !== undefined && { processor_reference: reference }),
    ...(texts.length > 0 && { codes: Object.fromEntries(texts) }),
  };
}

const checksOf = ({ source }: Members) => {
  const { avs_check, cvv_check } = membersOf(source);
  return checksOfSource(avs_check, cvv_check);
};

/** An approval without an id could not be captured, so it stays unknown until an inquiry finds it. */
export function approvalOf(payment: Members): AuthoriseResult {
  if (textOf(payment.id) === undefined) return unknownResult('Checkout.com sent no id.');
  const { amount, amount_requested = amount, currency } = payment;
  if (amount !== amount_requested) return partialApprovalOf(payment, amount, currency);
  return {
    result: 'approved',
    authorisation_code: textOf(payment.auth_code) ?? null,
    network_transaction_id: textOf(payment.scheme_id) ?? null,
    ...checksOf(payment),
    ...factsOf(payment),
    ...moneyOf(amount, currency),
  };
}

/** The amount in ISO 4217 minor units; none for members that cannot be read. */
function moneyOf(amount: unknown, currency: unknown): { readonly money?: Money } {
  const units = unitsOf(amount, currency);
  return units === undefined ? {} : { money: { amount: units, currency: String(currency) } };
}

const CURRENCY = /^[A-Z]{3}$/;

const unitsOf = (amount: unknown, currency: unknown): number | undefined =>
  typeof amount === 'number' && typeof currency === 'string' && CURRENCY.test(currency)
    ? fromProcessorUnits({ amount, currency }, checkoutExponents)
    : undefined;

function partialApprovalOf(payment: Members, amount: unknown, currency: unknown): AuthoriseResult {
  const approvedAmount = unitsOf(amount, currency);
  return approvedAmount === undefined || approvedAmount < 0
    ? unknownResult('Checkout.com approved an amount that cannot be read.')
    : { result: 'partly_approved', approvedAmount, ...factsOf(payment) };
}

export function declineOf(payment: Members): DeclinedResult {
  const code = textOf(payment.response_code);
  const { recommendation_code } = membersOf(payment.processing);
  const advice = code && checkoutAdviceOf(code, textOf(recommendation_code));
  return {
    result: 'declined',
    code: code === undefined ? 'generic_decline' : checkoutDeclineOf(code),
    ...(advice && { advice }),
    ...checksOf(payment),
    ...factsOf(payment),
  };
}

export const pendingOf = (payment: Members): PendingResult => ({
  result: 'pending',
  ...factsOf(payment),
});
