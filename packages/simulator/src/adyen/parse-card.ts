import { luhnOk } from '@florin/contract/card/luhn.ts';
import { brandOf, type CardBrand } from '@florin/contract/card/networks.ts';
import type { StandInAnswer } from '../stand-in/answer.ts';
import { isJsonObject, type JsonMembers, textOf } from '../stand-in/members.ts';
import { invalidRequest, serviceError, unreadable } from './answers.ts';
import { unknownMembersError } from './known-members.ts';

/** Card or network token of a payment. Only held in memory while its request runs. */
export interface CardOrder {
  readonly kind: 'scheme' | 'networkToken';
  readonly number: string;
  readonly brand: CardBrand;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly cvc?: string;
  readonly holderName?: string;
  /** Wallet of a device's card number, if the request names one. */
  readonly wallet?: 'applepay' | 'googlepay';
  /** Scheme's transaction id of an earlier approval. */
  readonly networkPaymentReference?: string;
}

/** Stored card of a customer, before it is looked up. */
export interface StoredCardOrder {
  readonly storedPaymentMethodId: string;
  readonly cvc?: string;
}

export type PaymentMethodOrder = CardOrder | StoredCardOrder;

const NUMBER = /^\d{12,19}$/;
const MONTH = /^(?:0?[1-9]|1[0-2])$/;
const YEAR = /^20\d\d$/;
const WALLETS = ['applepay', 'googlepay'] as const;
const CVC_DIGITS = 3;
const AMEX_CVC_DIGITS = 4;

/** Parses member `paymentMethod`, or returns the error of its first fault. */
export function parsePaymentMethod(value: unknown): PaymentMethodOrder | StandInAnswer {
  if (!isJsonObject(value)) return invalidRequest('14_004', 'Missing payment method details');
  const { type = 'scheme' } = value;
  if (type !== 'scheme' && type !== 'card' && type !== 'networkToken')
    return serviceError(500, '905', 'Payment details are not supported', 'configuration');
  const unknown = unknownMembersError('CardDetails', value);
  if (unknown) return unknown;
  if (Object.values(value).some((member) => typeof member !== 'string'))
    return unreadable('Unexpected input for paymentMethod, expected text');
  const storedId = textOf(value.storedPaymentMethodId) ?? textOf(value.recurringDetailReference);
  if (storedId !== undefined) return withCvc({ storedPaymentMethodId: storedId }, value);
  return cardFault(value) ?? cardOf(value, type === 'networkToken' ? 'networkToken' : 'scheme');
}

function withCvc<Order extends object>(
  order: Order,
  { cvc }: JsonMembers,
): Order & { cvc?: string } {
  const text = textOf(cvc);
  return text === undefined ? order : { ...order, cvc: text };
}

function cardOf(members: JsonMembers, kind: CardOrder['kind']): CardOrder {
  const number = String(members.number);
  const holderName = textOf(members.holderName);
  const networkPaymentReference = textOf(members.networkPaymentReference);
  const wallet = WALLETS.find((name) => name === members.brand);
  return withCvc(
    {
      kind,
      number,
      brand: brandOf(number),
      expiryMonth: Number(members.expiryMonth),
      expiryYear: Number(members.expiryYear),
      ...(holderName && { holderName }),
      ...(wallet && { wallet }),
      ...(networkPaymentReference && { networkPaymentReference }),
    },
    members,
  );
}

function cardFault({
  number,
  expiryMonth,
  expiryYear,
  cvc,
}: JsonMembers): StandInAnswer | undefined {
  const digits = textOf(number) ?? '';
  if (!NUMBER.test(digits) || !luhnOk(digits)) return invalidRequest('101', 'Invalid card number');
  const brand = brandOf(digits);
  if (brand === 'unknown') return invalidRequest('102', 'Unable to determine variant');
  if (!MONTH.test(String(expiryMonth)) || !YEAR.test(String(expiryYear)))
    return invalidRequest('129', 'Expiry Date Invalid');
  const length = brand === 'amex' ? AMEX_CVC_DIGITS : CVC_DIGITS;
  const isWrong =
    cvc !== undefined && !(textOf(cvc)?.length === length && /^\d+$/.test(String(cvc)));
  return isWrong ? invalidRequest('103', 'CVC is not the right length') : undefined;
}
