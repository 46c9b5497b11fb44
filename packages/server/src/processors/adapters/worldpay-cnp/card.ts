import type { CardBrand } from '@florin/contract/card/networks.ts';
import type { CardFields } from '@florin/contract/protocol/vault.ts';
import { withoutUndefined } from '../../port/build-body.ts';
import type { AuthoriseInput } from '../../port/processor.ts';
import { placeOf } from './message.ts';

/** `methodOfPaymentTypeEnum` of the schema. An empty type lets Worldpay decide. */
const typeByNetwork: Partial<Readonly<Record<CardBrand, string>>> = {
  visa: 'VI',
  mastercard: 'MC',
  amex: 'AX',
  discover: 'DI',
  diners: 'DC',
  jcb: 'JC',
};

const numberPlaces = (transaction: string): CardFields => ({
  [placeOf(transaction, 'card/number')]: 'pan',
  [placeOf(transaction, 'card/expDate')]: 'expiry_mmyy',
});
const cvvPlace = (transaction: string): CardFields => ({
  [placeOf(transaction, 'card/cardValidationNum')]: 'cvv',
});
const cryptogramPlace = (transaction: string): CardFields => ({
  [placeOf(transaction, 'cardholderAuthentication/authenticationValue')]: 'cryptogram',
});

/** All places of card data in a transaction. */
export const cardPlacesOf = (transaction: string): CardFields => ({
  ...numberPlaces(transaction),
  ...cvvPlace(transaction),
  ...cryptogramPlace(transaction),
});

interface CardPart {
  readonly elements: Readonly<Record<string, unknown>>;
  readonly card_fields: CardFields;
}

/** The card with its proof: the typed value, the wallet's cryptogram, or the result of 3-D Secure. */
export function cardOf(transaction: string, input: AuthoriseInput): CardPart {
  const { network, wallet, initiated_by_merchant } = input;
  const card = { type: (network && typeByNetwork[network]) ?? '', number: null, expDate: null };
  const fields = numberPlaces(transaction);
  if (wallet?.cryptogram) {
    const cardholderAuthentication = { authenticationValue: null };
    return {
      elements: { card, cardholderAuthentication },
      card_fields: { ...fields, ...cryptogramPlace(transaction) },
    };
  }
  if (initiated_by_merchant) return { elements: { card }, card_fields: fields };
  return {
    elements: withoutUndefined({
      card: { ...card, cardValidationNum: null },
      cardholderAuthentication: authenticationOf(input),
    }) as CardPart['elements'],
    card_fields: { ...fields, ...cvvPlace(transaction) },
  };
}

/** Proof of 3-D Secure: authenticated or attempted, with a cryptogram. Others prove nothing and are left out. */
export function provenSourceOf({ authentication }: AuthoriseInput): string | undefined {
  if (!authentication?.cryptogram) return undefined;
  if (authentication.status === 'Y') return '3dsAuthenticated';
  return authentication.status === 'A' ? '3dsAttempted' : undefined;
}

function authenticationOf(input: AuthoriseInput): object | undefined {
  if (!provenSourceOf(input)) return undefined;
  const { cryptogram, directory_transaction_eid, version } = input.authentication ?? {};
  return withoutUndefined({
    authenticationValue: cryptogram,
    authenticationTransactionId: directory_transaction_eid ?? undefined,
    customerIpAddress: input.payer?.ip,
    authenticationProtocolVersion: version?.startsWith('1') ? 1 : 2,
  });
}
