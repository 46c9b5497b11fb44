import type { DeclineAdvice, DeclineCode } from '@florin/contract/decline-codes.ts';

/** Transactions that Worldpay executed. 141 and 142 approve prepaid cards and single-use numbers. */
export const APPROVED: readonly string[] = ['000', '141', '142'];
/** A part of the amount is approved. */
export const PARTLY_APPROVED = '010';
/** Receipts. The response to a query decides. */
export const RECEIVED: readonly string[] = ['001', '015'];
/** An earlier valid transaction of this type has the same id and card. */
export const DUPLICATE = '251';

/** The card, the account behind it, or its holder is the reason. */
const cardCodes: Partial<Record<DeclineCode, string>> = {
  insufficient_funds: '110 112 113 114 115 116 117 118 707',
  velocity_exceeded: '127 315 355 656',
  lost_card: '213 304',
  stolen_card: '214',
  expired_card: '148 305 320',
  invalid_card: '126 140 145 253 301 302 323 501 653 657 714',
  incorrect_cvc: '226 352 358',
  authentication_failed: '664',
  highest_risk: '147 550 555',
  // Filters of the account, which the merchant ordered.
  blocked: '309 312 313 318 319 353 705',
  always_blocked: '146 207 215 303 307 308 317 327 328 565 566 706',
  generic_decline:
    '101 102 108 120 121 122 123 124 125 130 137 138 139 149 206 229 349 350 351 372 373 379 651 652',
};

/** Worldpay, its setup of the account, or our message is the reason: nothing was charged. */
const UNREACHABLE =
  '100 103 143 170 209 212 257 258 321 322 325 330 340 346 347 348 354 356 370 386 560 708 709 710';

const declineByCode = new Map<string, DeclineCode>(
  Object.entries({ ...cardCodes, processor_unreachable: UNREACHABLE }).flatMap(([decline, codes]) =>
    codes.split(' ').map((code) => [code, decline as DeclineCode] as const),
  ),
);

/** Response codes that are declines. */
export const cnpDeclineCodes: readonly string[] = [...declineByCode.keys()];

/** Decline of a response code. Undefined for codes that are no decline of a card payment. */
export const declineOfCode = (code: string): DeclineCode | undefined => declineByCode.get(code);

const codesByAdvice: Readonly<Record<DeclineAdvice, string>> = {
  final: '146 147 207 213 214 215 303 304 307 308 317 327 328 373 555 565 706',
  try_later: '101 102 108 110 112 113 114 115 116 117 118 127 130 315 349 355 372 652 656 707',
  // 370 and 386 are errors inside Worldpay or the network, after which a second charge is not worth the risk.
  try_another_processor:
    '100 103 143 170 209 212 257 258 321 322 325 330 340 346 347 348 354 356 560 708 709 710',
  authenticate: '664',
  update_card: '126 140 145 148 149 226 253 301 302 305 320 323 352 358 501 653 657 714',
};

const adviceByCode = new Map<string, DeclineAdvice>(
  Object.entries(codesByAdvice).flatMap(([advice, codes]) =>
    codes.split(' ').map((code) => [code, advice as DeclineAdvice] as const),
  ),
);

/** Advice of a response code. Undefined where the issuer gave no reason. */
export const adviceOfCode = (code: string): DeclineAdvice | undefined => adviceByCode.get(code);

/** An authorisation that expired holds nothing. */
const EXPIRED = '306';

/** Whether a reversal's code means that the payment charges nothing. */
export const isReversed = (code: string): boolean =>
  APPROVED.includes(code) || code === EXPIRED || code === DUPLICATE;

/** Reversals that Worldpay rejects: captured or settled, not supported, other amount, unknown payment. */
export const REVERSAL_REFUSED: readonly string[] = '111 211 223 256 335 336 360 361 362'.split(' ');

/** Captures and refunds that Worldpay rejects for good. */
export const FOLLOW_UP_DECLINED: readonly string[] =
  '111 209 229 271 272 273 301 305 306 311 316 321 322 327 330 340 350 360 361 365 379'.split(' ');
