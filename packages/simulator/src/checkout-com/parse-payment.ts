import { brandOf, type CardBrand } from '@florin/contract/card/networks.ts';
import {
  isJsonObject,
  type JsonMembers,
  membersOf,
  textOf,
  wholeNumberOf,
} from '../stand-in/members.ts';
import { isAcceptedAmount, isKnownCurrency } from './money-rules.ts';
import { type CardSource, parseSource } from './parse-source.ts';

/** A parsed payment request. Amounts are minor units; 0 verifies the card. */
export interface PaymentOrder {
  readonly source: CardSource;
  readonly brand: CardBrand;
  readonly amount: number;
  readonly currency: string;
  /** Whether the payment captures itself. Absent in a request means true. */
  readonly capture: boolean;
  readonly reference?: string;
  readonly channel?: string;
  readonly paymentType: string;
  readonly isMerchantInitiated: boolean;
  readonly previousPaymentId?: string;
  readonly authorizationType: string;
  readonly allowsPartial: boolean;
  readonly threeds: ThreedsOrder;
  /** Whether Checkout.com may charge again after a soft decline. */
  readonly schedulesRetries: boolean;
  readonly metadata: JsonMembers;
  readonly customer?: JsonMembers;
  readonly billingDescriptor?: JsonMembers;
}

/** Member `3ds` of a payment request. */
export interface ThreedsOrder {
  readonly isEnabled: boolean;
  /** Whether a soft decline may become a hosted challenge. Absent in a request means true. */
  readonly allowsUpgrade: boolean;
  readonly eci?: string;
  readonly cryptogram?: string;
  readonly xid?: string;
  readonly version?: string;
}

const REFERENCE_LENGTH_MAX = 80;
const AMEX_REFERENCE_LENGTH_MAX = 30;
const METADATA_KEYS_MAX = 20;
const METADATA_VALUE_LENGTH_MAX = 255;
const PAYMENT_TYPES: readonly unknown[] =
  'Regular Recurring Unscheduled Installment MOTO PayLater'.split(' ');
const BRANDS_WITHOUT_INSTALLMENTS: readonly CardBrand[] = ['amex', 'discover'];

/** Parses the body of `POST /payments`, or returns the error codes of its faults. */
export function parsePayment(body: JsonMembers): PaymentOrder | readonly string[] {
  const { source, faults: sourceFaults } = parseSource(body.source);
  const brand = brandOf(source.number);
  const faults = [
    ...sourceFaults,
    ...moneyFaults(body),
    ...referenceFaults(body.reference, brand),
    ...initiationFaults(body, brand),
    ...networkTokenFaults(body, source, brand),
    ...metadataFaults(body.metadata),
  ];
  if (faults.length > 0) return faults;
  return orderOf(body, source, brand);
}

function orderOf(body: JsonMembers, source: CardSource, brand: CardBrand): PaymentOrder {
  const reference = textOf(body.reference);
  const channel = textOf(body.processing_channel_id);
  const previousPaymentId = textOf(body.previous_payment_id);
  return {
    source,
    brand,
    amount: wholeNumberOf(body.amount ?? 0) ?? 0,
    currency: String(body.currency),
    capture: body.capture !== false,
    paymentType: textOf(body.payment_type) ?? 'Regular',
    isMerchantInitiated: body.merchant_initiated === true,
    authorizationType: textOf(body.authorization_type) ?? 'Final',
    allowsPartial: membersOf(body.partial_authorization).enabled === true,
    schedulesRetries: schedulesRetries(membersOf(body.retry)),
    threeds: threedsOf(membersOf(body['3ds'])),
    metadata: membersOf(body.metadata),
    ...(reference && { reference }),
    ...(channel && { channel }),
    ...(previousPaymentId && { previousPaymentId }),
    ...(isJsonObject(body.customer) && { customer: body.customer }),
    ...(isJsonObject(body.billing_descriptor) && { billingDescriptor: body.billing_descriptor }),
  };
}

const schedulesRetries = ({ dunning, downtime }: JsonMembers): boolean =>
  [dunning, downtime].some((retry) => membersOf(retry).enabled === true);

function threedsOf(members: JsonMembers): ThreedsOrder {
  const texts = ['eci', 'cryptogram', 'xid', 'version'].flatMap((name) => {
    const text = textOf(members[name]);
    return text === undefined ? [] : [[name, text]];
  });
  return {
    isEnabled: members.enabled === true,
    allowsUpgrade: members.allow_upgrade !== false,
    ...(Object.fromEntries(texts) as Partial<Record<'eci' | 'cryptogram' | 'xid', string>>),
  };
}

function moneyFaults({ currency, amount = 0 }: JsonMembers): string[] {
  if (currency === undefined) return ['currency_required'];
  if (typeof currency !== 'string' || !isKnownCurrency(currency)) return ['currency_invalid'];
  return amountFaults(amount, currency);
}

/** Error codes of an amount in minor units, as a number or as digits. */
export function amountFaults(amount: unknown, currency: string): string[] {
  const units = wholeNumberOf(amount);
  return units !== undefined && isAcceptedAmount(units, currency) ? [] : ['amount_invalid'];
}

/** Error codes of a reference. American Express accepts shorter references than other brands. */
export function referenceFaults(reference: unknown, brand: CardBrand): string[] {
  if (reference === undefined) return [];
  const lengthMax = brand === 'amex' ? AMEX_REFERENCE_LENGTH_MAX : REFERENCE_LENGTH_MAX;
  return typeof reference === 'string' && reference.length <= lengthMax
    ? []
    : ['reference_invalid'];
}

function initiationFaults(body: JsonMembers, brand: CardBrand): string[] {
  const { payment_type = 'Regular', merchant_initiated } = body;
  if (!PAYMENT_TYPES.includes(payment_type)) return ['payment_type_invalid'];
  if (merchant_initiated !== true) return [];
  const isUnsupported =
    payment_type === 'Installment' && BRANDS_WITHOUT_INSTALLMENTS.includes(brand);
  if (payment_type === 'Regular' || isUnsupported) return ['payment_type_invalid'];
  return textOf(body.previous_payment_id) === undefined ? ['previous_payment_id_invalid'] : [];
}

/** Networks of the token services. Wallets' tokens may come without a cryptogram. */
const tokenBrands: Readonly<Record<string, CardBrand>> = { vts: 'visa', mdes: 'mastercard' };

/** Error codes of a merchant's network token: only charges without the payer have no cryptogram. */
function networkTokenFaults(
  { merchant_initiated }: JsonMembers,
  { tokenType = '', cryptogram }: CardSource,
  brand: CardBrand,
): string[] {
  const tokenBrand = tokenBrands[tokenType];
  if (!tokenBrand) return [];
  if (tokenBrand !== brand) return ['token_type_invalid'];
  return cryptogram || merchant_initiated === true ? [] : ['cryptogram_required'];
}

/** Error codes of metadata, which must be flat and short. */
export function metadataFaults(metadata: unknown): string[] {
  if (metadata === undefined) return [];
  if (!isJsonObject(metadata)) return ['metadata_invalid'];
  const values = Object.values(metadata);
  const isValid =
    values.length <= METADATA_KEYS_MAX &&
    values.every(
      (value) =>
        ['number', 'boolean'].includes(typeof value) ||
        (typeof value === 'string' && value.length <= METADATA_VALUE_LENGTH_MAX),
    );
  return isValid ? [] : ['metadata_invalid'];
}
