import type { DeclineAdvice, DeclineCode } from '@florin/contract/decline-codes.ts';

/** Decline code and advice of a refusal. */
export interface Refusal {
  readonly code: DeclineCode;
  readonly advice?: DeclineAdvice;
}

type RefusalRow = readonly [
  code: string,
  name: string,
  decline: DeclineCode,
  advice?: DeclineAdvice,
];

/** Refusal reasons of Adyen by number. Notifications have the name only. */
const rows: readonly RefusalRow[] = [
  ['2', 'Refused', 'generic_decline', 'try_later'],
  ['3', 'Referral', 'generic_decline'],
  ['4', 'Acquirer Error', 'generic_decline', 'try_another_processor'],
  ['5', 'Blocked Card', 'always_blocked', 'update_card'],
  ['6', 'Expired Card', 'expired_card', 'update_card'],
  ['7', 'Invalid Amount', 'generic_decline', 'try_another_processor'],
  ['8', 'Invalid Card Number', 'invalid_card', 'update_card'],
  ['9', 'Issuer Unavailable', 'generic_decline', 'try_later'],
  ['10', 'Not supported', 'generic_decline', 'try_another_processor'],
  ['11', '3D Not Authenticated', 'authentication_failed', 'authenticate'],
  ['12', 'Not enough balance', 'insufficient_funds', 'try_later'],
  ['14', 'Acquirer Fraud', 'highest_risk', 'final'],
  ['15', 'Cancelled', 'generic_decline'],
  ['16', 'Shopper Cancelled', 'generic_decline'],
  ['17', 'Invalid Pin', 'generic_decline'],
  ['18', 'Pin tries exceeded', 'generic_decline'],
  ['19', 'Pin validation not possible', 'generic_decline'],
  ['20', 'FRAUD', 'highest_risk', 'final'],
  ['21', 'Not Submitted', 'generic_decline', 'try_another_processor'],
  ['22', 'FRAUD-CANCELLED', 'highest_risk', 'final'],
  ['23', 'Transaction Not Permitted', 'generic_decline'],
  ['24', 'CVC Declined', 'incorrect_cvc', 'update_card'],
  ['25', 'Restricted Card', 'always_blocked', 'update_card'],
  ['26', 'Revocation Of Auth', 'generic_decline', 'final'],
  ['27', 'Declined Non Generic', 'generic_decline', 'try_later'],
  ['28', 'Withdrawal amount exceeded', 'insufficient_funds', 'try_later'],
  ['29', 'Withdrawal count exceeded', 'velocity_exceeded', 'try_later'],
  ['31', 'Issuer Suspected Fraud', 'highest_risk', 'final'],
  ['32', 'AVS Declined', 'card_not_verified', 'update_card'],
  ['33', 'Card requires online pin', 'generic_decline'],
  ['34', 'No checking account available on Card', 'generic_decline'],
  ['35', 'No savings account available on Card', 'generic_decline'],
  ['36', 'Mobile PIN required', 'generic_decline'],
  ['37', 'Contactless fallback', 'generic_decline'],
  ['38', 'Authentication required', 'authentication_failed', 'authenticate'],
  ['39', 'RReq not received from DS', 'authentication_failed', 'try_later'],
  ['42', '3DS Authentication Error', 'authentication_failed', 'try_later'],
  ['46', 'Blocked by Adyen to prevent excessive retry fees', 'always_blocked', 'final'],
  ['50', 'Token revoked', 'generic_decline', 'final'],
];

/** Numbers of Adyen's refusal reasons. */
export const adyenRefusalCodes: readonly string[] = rows.map(([code]) => code);

const toRefusal = ([, , code, advice]: RefusalRow): Refusal => ({
  code,
  ...(advice && { advice }),
});

const lettersOf = (text: unknown): string =>
  typeof text === 'string' ? text.toLowerCase().replace(/[^a-z0-9]/g, '') : '';

const refusalByCode = new Map<unknown, Refusal>(rows.map((row) => [row[0], toRefusal(row)]));
const refusalByName = new Map(rows.map((row) => [lettersOf(row[1]), toRefusal(row)]));

const UNKNOWN_REFUSAL: Refusal = { code: 'generic_decline' };

/** Codes of the issuer that say more than Adyen's own. */
const refusalByIssuerCode = new Map<string, Refusal>([
  ['41', { code: 'lost_card', advice: 'final' }],
  ['43', { code: 'stolen_card', advice: 'final' }],
  ['N7', { code: 'incorrect_cvc', advice: 'update_card' }],
  ['82', { code: 'incorrect_cvc', advice: 'update_card' }],
]);

/** Mastercard's merchant advice codes. Codes 24 to 30 name a time from one hour to ten days. */
const adviceByMerchantAdvice = new Map<string, DeclineAdvice>([
  ['01', 'update_card'],
  ['02', 'try_later'],
  ['03', 'final'],
  ['21', 'final'],
  ...['24', '25', '26', '27', '28', '29', '30'].map((code) => [code, 'try_later'] as const),
]);

/** Codes of Mastercard's advice that has a meaning here. */
export const adyenAdviceCodes: readonly string[] = [...adviceByMerchantAdvice.keys()];

/** Code at the start of a text such as `05 : Do not honor`; undefined without one. */
const leadingCode = (text: unknown): string | undefined =>
  typeof text === 'string' ? /^([0-9A-Z]{2,3})\s*:/.exec(text)?.[1] : undefined;

/** Facts of a refusal, unchecked. */
export interface RefusalFacts {
  readonly refusalReasonCode?: unknown;
  /** Name of the reason, where there is no number. */
  readonly reason?: unknown;
  readonly refusalReasonRaw?: unknown;
  readonly merchantAdviceCode?: unknown;
}

/** Decline code and advice of a refused payment. The issuer's code and the network's advice count first. */
export function refusalOfAdyen(facts: RefusalFacts): Refusal {
  const { refusalReasonCode, reason, refusalReasonRaw, merchantAdviceCode } = facts;
  const byIssuer = refusalByIssuerCode.get(leadingCode(refusalReasonRaw) ?? '');
  const byAdyen = refusalByCode.get(refusalReasonCode) ?? refusalByName.get(lettersOf(reason));
  const refusal = byIssuer ?? byAdyen ?? UNKNOWN_REFUSAL;
  const advice = adviceByMerchantAdvice.get(leadingCode(merchantAdviceCode) ?? '');
  return advice === undefined ? refusal : { ...refusal, advice };
}

/** Errors of a refused message that are faults of the card or of its address. */
const refusalByError = new Map<string, Refusal>([
  ['101', { code: 'invalid_card', advice: 'update_card' }],
  ['102', { code: 'invalid_card', advice: 'update_card' }],
  ['103', { code: 'incorrect_cvc', advice: 'update_card' }],
  ['129', { code: 'expired_card', advice: 'update_card' }],
  ...['104', '131', '132', '133', '134', '135'].map(
    (code) => [code, { code: 'card_not_verified' }] as const,
  ),
]);

/** Refusal of an error code. Undefined if the account or the message is at fault. */
export const refusalOfError = (code: string | undefined): Refusal | undefined =>
  refusalByError.get(code ?? '');
