/**
 * Sandbox cards: numbers that no bank issues, with the simulated network's response to each.
 * Holds full card numbers: only the vault, the simulator, the dashboard's card list and tests may import this file.
 */
import type { DeclineCode } from '../decline-codes.ts';
import type { CheckRule } from '../risk/check-rules.ts';
import type { CardBrand } from './networks.ts';

/** The simulated issuer's response to a cardholder authentication (EMV 3-D Secure). */
export type SandboxThreeds =
  | 'frictionless'
  | 'rejected'
  | 'challenge'
  | 'not_enrolled'
  | 'unattempted';

/**
 * The simulated network's response to an authorisation. Florin itself sets the other decline codes.
 */
export type SandboxOutcome =
  | 'approved'
  | Exclude<
      DeclineCode,
      | 'blocked'
      | 'card_not_verified'
      | 'cryptogram_missing'
      | 'customer_blocked'
      | 'processor_timeout'
      | 'processor_unreachable'
      | 'subscription_cancelled'
      | 'merchant_held_back'
      | 'velocity_exceeded'
    >;

export interface SandboxCard {
  /** Test token for the number, for tests without a browser that encrypts. */
  readonly token: `${'pan' | 'network_token'}_test_${string}`;
  readonly number: string;
  readonly brand: CardBrand;
  readonly threeds: SandboxThreeds;
  /** Outcome of an authorisation, whether or not the cardholder was authenticated. */
  readonly outcome: SandboxOutcome;
  /** Check that fails although the payment is approved. */
  readonly mismatch?: CheckRule;
}

const card = (
  token: SandboxCard['token'],
  number: string,
  brand: CardBrand,
  outcome: SandboxCard['outcome'],
  threeds: SandboxThreeds = 'frictionless',
): SandboxCard => ({ token, number, brand, threeds, outcome });

/** A card whose payments are approved although the issuer finds something wrong. */
const mismatchCard = (mismatch: CheckRule, number: string): SandboxCard => ({
  ...card(`pan_test_${mismatch}`, number, 'visa', 'approved'),
  mismatch,
});

export const sandboxCards: readonly SandboxCard[] = [
  card('pan_test_visa', '4005519200000004', 'visa', 'approved'),
  card('pan_test_visa_19', '4444333322221111455', 'visa', 'approved'),
  card('pan_test_mastercard', '5406004444444443', 'mastercard', 'approved'),
  card('pan_test_discover', '6011450103333333', 'discover', 'approved'),
  card('pan_test_amex', '370000999999990', 'amex', 'approved'),
  card('pan_test_generic_decline', '4124939999999990', 'visa', 'generic_decline'),
  card('pan_test_insufficient_funds', '4444333322221111', 'visa', 'insufficient_funds'),
  card('pan_test_lost_card', '5555341244441115', 'mastercard', 'lost_card'),
  card('pan_test_stolen_card', '6011601160116611', 'discover', 'stolen_card'),
  card('pan_test_incorrect_cvc', '370000000000002', 'amex', 'incorrect_cvc'),
  card('pan_test_always_blocked', '4917300800000000', 'visa', 'always_blocked'),
  card('pan_test_highest_risk', '5407721000353481', 'mastercard', 'highest_risk'),
  card('pan_test_threeds_rejected', '370000000100018', 'amex', 'authentication_failed', 'rejected'),
  card('pan_test_threeds_challenge', '5100060000000002', 'mastercard', 'approved', 'challenge'),
  card('pan_test_threeds_not_enrolled', '4012000077777777', 'visa', 'approved', 'not_enrolled'),
  card(
    'pan_test_threeds_unattempted',
    '4166676667666746',
    'visa',
    'authentication_failed',
    'unattempted',
  ),
  mismatchCard('postal_code_mismatch', '4000000000000036'),
  mismatchCard('address_mismatch', '4000000000000028'),
  mismatchCard('cvc_mismatch', '4000000000000101'),
];

/** Network tokens of the sandbox. Their test tokens bring a cryptogram, which payments by the payer need. */
export const sandboxNetworkTokens: readonly SandboxCard[] = [
  card('network_token_test_visa', '4895370012000003', 'visa', 'approved'),
  card('network_token_test_mastercard', '5204249900000007', 'mastercard', 'approved'),
];

export const isSandboxNetworkToken = (sandboxCard: SandboxCard): boolean =>
  sandboxNetworkTokens.includes(sandboxCard);

const knownCards = [...sandboxCards, ...sandboxNetworkTokens];

/** Test token for a verification value that fits the card. Used with all test tokens. */
export const CVV_TEST_TOKEN = 'cvv_test';
const CVV_TEST_DIGITS = '1234';

/** Verification value of `CVV_TEST_TOKEN`: four digits on Amex, three on other networks. */
export const sandboxCvv = (brand: CardBrand): string =>
  CVV_TEST_DIGITS.slice(0, brand === 'amex' ? 4 : 3);

const byNumber = new Map(knownCards.map((sandboxCard) => [sandboxCard.number, sandboxCard]));
const byToken = new Map<string, SandboxCard>(
  knownCards.map((sandboxCard) => [sandboxCard.token, sandboxCard]),
);

/** Finds a sandbox card by its full number, since two cards share the first sixteen digits. */
export const sandboxCardByNumber = (digits: string): SandboxCard | undefined =>
  byNumber.get(digits);

export const sandboxCardByToken = (token: string): SandboxCard | undefined => byToken.get(token);
