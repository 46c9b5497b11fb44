import type { CardBrand } from '@florin/contract/card/networks.ts';
import type { CardFields, WalletKind } from '@florin/contract/protocol/vault.ts';
import type { AuthoriseInput } from '../../port/processor.ts';

/** Members of a payment that name its card, with null for what the vault fills in. */
export interface CardPart {
  readonly paymentMethod: object;
  /** Proof of an authentication that did not happen at Adyen. */
  readonly mpiData?: object;
  /** Entries of `additionalData`, whose values are all texts. */
  readonly additionalData: Readonly<Record<string, string>>;
  readonly card_fields: CardFields;
}

const cardPointers: CardFields = {
  '/paymentMethod/number': 'pan',
  '/paymentMethod/expiryMonth': 'expiry_month',
  '/paymentMethod/expiryYear': 'expiry_year',
};

const cvcPointer: CardFields = { '/paymentMethod/cvc': 'cvv' };
/** Adyen wants an indicator, which Mastercard's tokens often lack: 07 is a payment without 3-D Secure. */
const tokenPointers: CardFields = {
  '/mpiData/tokenAuthenticationVerificationValue': 'cryptogram',
  '/mpiData/eci': 'eci_or_07',
};
const proofPointers: CardFields = { '/mpiData/cavv': 'cryptogram', '/mpiData/eci': 'eci' };

/** All places of a payment where card data may be. */
export const cardPlaces: CardFields = { ...cardPointers, ...cvcPointer, ...proofPointers };
/** All places of a payment where a network token may be. */
export const tokenPlaces: CardFields = { ...cardPointers, ...tokenPointers };

/** Adyen's names of networks, where merchant-initiated charges name the network. */
const brandNames: Partial<Record<CardBrand, string>> = {
  visa: 'visa',
  mastercard: 'mc',
  amex: 'amex',
  jcb: 'jcb',
  diners: 'diners',
  discover: 'discover',
  maestro: 'maestro',
  unionpay: 'cup',
};

/** Wallets as `paymentdatasource.type`. */
const walletNames: Readonly<Record<WalletKind, string>> = {
  apple_pay: 'applepay',
  google_pay: 'googlepay',
};

/** Card, wallet, network token or stored card of a payment. */
export function cardPartOf(input: AuthoriseInput): CardPart {
  if (input.initiated_by_merchant) return storedCard(input, input.initiated_by_merchant);
  if (input.network_token) return networkToken(input);
  return input.wallet?.cryptogram ? walletCard(input, input.wallet.kind) : typedCard(input);
}

/** Adyen wants a cardholder's name with each card number. Florin may have none. */
const HOLDER_NAME = 'Not Provided';

const cardOf = ({ payer, network_token }: AuthoriseInput) => ({
  type: network_token ? 'networkToken' : 'scheme',
  number: null,
  expiryMonth: null,
  expiryYear: null,
  holderName: payer?.name || HOLDER_NAME,
});

function typedCard(input: AuthoriseInput): CardPart {
  const mpiData = mpiDataOf(input);
  return {
    paymentMethod: { ...cardOf(input), cvc: null },
    ...(mpiData && { mpiData }),
    additionalData: input.wallet ? sourceOf(input.wallet.kind, false) : {},
    card_fields: { ...cardPointers, ...cvcPointer },
  };
}

/** A device's number is sent as a card, and the device's cryptogram as proof of an authentication. */
const walletCard = (input: AuthoriseInput, kind: WalletKind): CardPart => ({
  paymentMethod: cardOf(input),
  mpiData: { cavv: null, eci: null, directoryResponse: 'Y', authenticationResponse: 'Y' },
  additionalData: sourceOf(kind, true),
  card_fields: { ...cardPointers, ...proofPointers },
});

/** A token's own cryptogram, beside the proof of our own 3-D Secure. The indicator of that proof comes first. */
function networkToken(input: AuthoriseInput): CardPart {
  const proof = mpiDataOf(input);
  const unproven = { eci: null, directoryResponse: 'Y', authenticationResponse: 'Y' };
  const { '/mpiData/eci': eciField, ...otherPointers } = tokenPointers;
  return {
    paymentMethod: cardOf(input),
    mpiData: { ...(proof ?? unproven), tokenAuthenticationVerificationValue: null },
    additionalData: {},
    card_fields: {
      ...cardPointers,
      ...otherPointers,
      ...(!proof && eciField && { '/mpiData/eci': eciField }),
    },
  };
}

const sourceOf = (kind: WalletKind, is_tokenized: boolean): Readonly<Record<string, string>> => ({
  'paymentdatasource.type': walletNames[kind],
  'paymentdatasource.tokenized': String(is_tokenized),
});

/** Names the first approval in both places that Adyen's schema offers, since it does not say which one counts. */
function storedCard(
  input: AuthoriseInput,
  { network_transaction_id }: NonNullable<AuthoriseInput['initiated_by_merchant']>,
): CardPart {
  const brand = input.network && brandNames[input.network];
  return {
    paymentMethod: {
      ...cardOf(input),
      ...(brand && { brand }),
      networkPaymentReference: network_transaction_id,
    },
    additionalData: { networkTxReference: network_transaction_id },
    card_fields: cardPointers,
  };
}

/** Authenticated (`Y`) or attempted (`A`): only these shift the liability. */
const PROVEN = ['Y', 'A'];

/** Result of our own 3-D Secure authentication; undefined without a proof. */
function mpiDataOf({ authentication }: AuthoriseInput): object | undefined {
  const { eci, cryptogram, status, version, directory_transaction_eid } = authentication ?? {};
  if (!eci || !cryptogram || !PROVEN.includes(status ?? '')) return undefined;
  return {
    directoryResponse: status,
    authenticationResponse: status,
    cavv: cryptogram,
    eci,
    ...(directory_transaction_eid && { dsTransID: directory_transaction_eid }),
    ...(version && { threeDSVersion: version }),
  };
}
