import { sandboxCardByNumber, sandboxCardByToken } from '@florin/contract/card/sandbox-cards.ts';

/** Adyen's own test cards, all approved. Their names are this project's. */
const numbersByName: Readonly<Record<string, string>> = {
  adyen_visa: '4111111111111111',
  adyen_mastercard: '5555555555554444',
  adyen_visa_classic: '4988438843884305',
  adyen_mastercard_debit: '2222400070000005',
  adyen_visa_threeds: '4212345678910006',
  adyen_mastercard_frictionless: '5201281505129736',
};

const nameByNumber = new Map(Object.entries(numbersByName).map(([name, number]) => [number, name]));
const CVC = '737';
const AMEX_CVC = '7373';

/** Numbers of Adyen's test cards, for tests. */
export const adyenCardNumbers: readonly string[] = Object.values(numbersByName);

/** Whether a number is one of Adyen's test cards, and none of Florin's. */
export const isAdyenCard = (number: string): boolean =>
  nameByNumber.has(number) && !sandboxCardByNumber(number);

/** Whether the security code fits a test card of Adyen. A request without a code is not checked. */
export const isRightCvc = (cvc: string | undefined): boolean =>
  cvc === undefined || cvc === CVC || cvc === AMEX_CVC;

/** Name under which the books store a test card instead of its number. Undefined for other cards. */
export const testCardName = (number: string): string | undefined =>
  sandboxCardByNumber(number)?.token ?? nameByNumber.get(number);

/** Number of a test card from its name in the books. */
export const testCardNumber = (name: string): string | undefined =>
  sandboxCardByToken(name)?.number ?? numbersByName[name];

/** Result codes that the cardholder's name asks for, as refusal reason codes. */
const codeByHolderName: Readonly<Record<string, string>> = {
  DECLINED: '2',
  REFERRAL: '3',
  ERROR: '4',
  BLOCK_CARD: '5',
  CARD_EXPIRED: '6',
  INVALID_AMOUNT: '7',
  INVALID_CARD_NUMBER: '8',
  ISSUER_UNAVAILABLE: '9',
  NOT_SUPPORTED: '10',
  NOT_3D_AUTHENTICATED: '11',
  NOT_ENOUGH_BALANCE: '12',
  PENDING: '13',
  ACQUIRER_FRAUD: '14',
  CANCELLED: '15',
  FRAUD: '20',
  NOT_SUBMITTED: '21',
  FRAUD_CANCELLED: '22',
  TRANSACTION_NOT_PERMITTED: '23',
  CVC_DECLINED: '24',
  RESTRICTED_CARD: '25',
  REVOCATION_OF_AUTH: '26',
  DECLINED_NON_GENERIC: '27',
  WITHDRAWAL_AMOUNT_EXCEEDED: '28',
  WITHDRAWAL_COUNT_EXCEEDED: '29',
  PARTIALLY_APPROVED: '30',
  ISSUER_SUSPECTED_FRAUD: '31',
  AVS_DECLINED: '32',
  AUTHENTICATION_REQUIRED: '38',
  RREQ_NOT_RECEIVED: '39',
  THREED_SECURE_ERROR: '42',
  ERPS_BLOCK: '46',
};

/** Refusal reason code that a cardholder's name asks for; undefined for all other names. */
export const codeOfHolderName = (holderName = ''): string | undefined =>
  codeByHolderName[holderName.trim().toUpperCase()];

/** Modification that a cardholder's name makes fail after its success. */
export const failingKindOf = (holderName = ''): 'capture' | 'refund' | undefined => {
  const text = holderName.trim().toLowerCase();
  if (text === 'capture failed') return 'capture';
  return text === 'refund failed' ? 'refund' : undefined;
};
