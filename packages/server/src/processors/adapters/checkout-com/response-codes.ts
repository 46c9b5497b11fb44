import type { DeclineAdvice, DeclineCode } from '@florin/contract/decline-codes.ts';

/** Response codes by decline code. Codes are texts, since they may contain letters. */
const codesByDecline: Partial<Record<DeclineCode, string>> = {
  insufficient_funds: '20051',
  incorrect_cvc: '20087 20124 200N7 40104',
  expired_card: '20054 20100 30033',
  invalid_card: '20014 20016 20052 20053 20056 20083 20101 30015 30046',
  lost_card: '30041',
  stolen_card: '30043',
  velocity_exceeded: '20061 20065 20121 200P1 200P9 30021 30022',
  authentication_failed: '20151 20152 20153 20154 20155 20159 40110 43401 44301',
  always_blocked:
    '20004 20059 20062 20063 20067 20093 20179 20182 20183 2005C 2006P 2009G 200R1 200R3 30004 30007 30034 30035 30036 30037 30038 30044',
};

const declineByCode = new Map(
  Object.entries(codesByDecline).flatMap(([decline, codes]) =>
    codes.split(' ').map((code) => [code, decline as DeclineCode] as const),
  ),
);

/** Risk rules of the account, first, since every other code of the risk engine means too high a risk. */
const riskRules: readonly (readonly [RegExp, DeclineCode])[] = [
  [/^40(?:1[56]\d|17[01]|2[1-3]\d)$/, 'velocity_exceeded'],
  [/^4(?:0103|[0-3]20[1-6])$/, 'blocked'],
  [/^4/, 'highest_risk'],
];

/** The account or its setup is at fault, not the card: another processor may take it. */
const CONFIGURATION = new Set(
  '20003 20013 20033 20102 20106 20107 20150 20156 20157 30404 30405'.split(' '),
);
/** A system on the way failed. */
const SYSTEM = new Set('20009 20068 20091 20096 20118'.split(' '));

/** Response codes that are listed. */
export const checkoutResponseCodes: readonly string[] = [
  ...new Set([...declineByCode.keys(), ...CONFIGURATION, ...SYSTEM]),
];

/** Decline code of a response code. The family decides where the code is not known. */
export function checkoutDeclineOf(code: string): DeclineCode {
  const known = declineByCode.get(code);
  if (known) return known;
  return riskRules.find(([pattern]) => pattern.test(code))?.[1] ?? 'generic_decline';
}

const adviceByRecommendation: Readonly<Record<string, DeclineAdvice>> = {
  '01': 'update_card',
  '02': 'try_later',
  '03': 'final',
};

/** Codes of Checkout.com's recommendations. */
export const checkoutRecommendationCodes: readonly string[] = Object.keys(adviceByRecommendation);

const adviceByDecline: Partial<Record<DeclineCode, DeclineAdvice>> = {
  expired_card: 'update_card',
  incorrect_cvc: 'update_card',
  invalid_card: 'update_card',
  lost_card: 'final',
  stolen_card: 'final',
  always_blocked: 'final',
  insufficient_funds: 'try_later',
  velocity_exceeded: 'try_later',
  authentication_failed: 'authenticate',
};

/** Advice of a decline: Checkout.com's recommendation, else what follows from the code. Undefined without either. */
export function checkoutAdviceOf(code: string, recommendation?: string): DeclineAdvice | undefined {
  const recommended = recommendation && adviceByRecommendation[recommendation];
  if (recommended) return recommended;
  if (CONFIGURATION.has(code) || SYSTEM.has(code)) return 'try_another_processor';
  return code.startsWith('30') ? 'final' : adviceByDecline[checkoutDeclineOf(code)];
}

/** Errors of a refused message that are faults of the card. */
const declineByError: Readonly<Record<string, DeclineCode>> = {
  card_expired: 'expired_card',
  card_expiry_month_invalid: 'expired_card',
  card_expiry_year_invalid: 'expired_card',
  card_number_invalid: 'invalid_card',
  card_number_required: 'invalid_card',
  cvv_invalid: 'incorrect_cvc',
  cvv_required: 'incorrect_cvc',
};

/** Decline code of the errors of a refused message. Undefined if the card is not at fault. */
export const declineOfErrors = (errors: readonly string[]): DeclineCode | undefined =>
  errors
    .filter((error) => Object.hasOwn(declineByError, error))
    .map((error) => declineByError[error])[0];
