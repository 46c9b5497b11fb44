import type { StandInAnswer } from '../stand-in/answer.ts';
import { isJsonObject, type JsonMembers, membersOf, textOf } from '../stand-in/members.ts';
import { invalidRequest, unreadable } from './answers.ts';
import { unknownMembersError } from './known-members.ts';
import { type AdyenAmount, parseAmount } from './money-rules.ts';
import { type PaymentMethodOrder, parsePaymentMethod } from './parse-card.ts';

/** A parsed payment request. Amount 0 checks the card. */
export interface AdyenOrder {
  readonly amount: AdyenAmount;
  readonly reference: string;
  readonly paymentMethod: PaymentMethodOrder;
  readonly shopperInteraction: string;
  readonly shopperReference?: string;
  readonly recurringProcessingModel?: string;
  readonly merchantOrderReference?: string;
  readonly storesCard: boolean;
  /** Results of an authentication by another service. */
  readonly mpi?: Readonly<Partial<Record<MpiMember, string>>>;
  /** Whether the request asks Adyen to authenticate the cardholder. */
  readonly wantsAuthentication: boolean;
  readonly additionalData: Readonly<Record<string, string>>;
  readonly hasBillingAddress: boolean;
  /** Number of the address check's result that a test address asks for. */
  readonly testAvs?: string;
  /** Hours until an automatic capture; undefined for manual capture. */
  readonly captureDelayHours?: number;
  readonly simulate?: string;
}

type MpiMember =
  | 'authenticationResponse'
  | 'directoryResponse'
  | 'cavv'
  | 'tokenAuthenticationVerificationValue'
  | 'eci'
  | 'dsTransID'
  | 'threeDSVersion';

const INTERACTIONS: readonly unknown[] = ['Ecommerce', 'ContAuth', 'Moto', 'POS'];
const MODELS: readonly unknown[] = ['CardOnFile', 'Subscription', 'UnscheduledCardOnFile'];
const REFERENCE_LENGTH_MAX = 80;
const METADATA_PAIRS_MAX = 20;
const METADATA_KEY_LENGTH_MAX = 20;
const METADATA_VALUE_LENGTH_MAX = 80;
const CAPTURE_DELAY_HOURS_MAX = 672;
const SHOPPER_REFERENCE_LENGTH_MIN = 3;
const SHOPPER_REFERENCE_LENGTH_MAX = 256;

/** Error code and name of each member that a billing address needs. */
const addressMembers = [
  ['131', 'city', 'City'],
  ['132', 'street', 'Street'],
  ['133', 'houseNumberOrName', 'HouseNumberOrName'],
  ['134', 'country', 'Country'],
  ['104', 'postalCode', 'PostalCode'],
] as const;

/** Parses the body of `POST /payments`, or returns the error of its first fault. */
export function parseAdyenPayment(body: JsonMembers): AdyenOrder | StandInAnswer {
  const fault =
    unknownMembersError('PaymentRequest', body) ??
    referenceFault(body) ??
    interactionFault(body) ??
    additionalDataFault(body) ??
    metadataFault(body.metadata) ??
    addressFault(body.billingAddress) ??
    mpiFault(body.mpiData);
  if (fault) return fault;
  const amount = parseAmount(body.amount, 0);
  if ('status' in amount) return amount;
  const paymentMethod = parsePaymentMethod(body.paymentMethod);
  return 'status' in paymentMethod ? paymentMethod : orderOf(body, amount, paymentMethod);
}

function orderOf(
  body: JsonMembers,
  amount: AdyenAmount,
  paymentMethod: PaymentMethodOrder,
): AdyenOrder {
  const additionalData = membersOf(body.additionalData) as Record<string, string>;
  const texts = ['shopperReference', 'recurringProcessingModel', 'merchantOrderReference'].flatMap(
    (name) => (textOf(body[name]) === undefined ? [] : [[name, body[name]]]),
  );
  const simulate = textOf(membersOf(body.metadata).simulate);
  const isManual = additionalData.manualCapture === 'true';
  return {
    amount,
    paymentMethod,
    additionalData,
    reference: String(body.reference),
    shopperInteraction: textOf(body.shopperInteraction) ?? 'Ecommerce',
    ...(Object.fromEntries(texts) as Pick<AdyenOrder, 'shopperReference'>),
    storesCard: body.storePaymentMethod === true,
    wantsAuthentication: membersOf(body.authenticationData).attemptAuthentication === 'always',
    hasBillingAddress: body.billingAddress !== undefined,
    ...testAvsOf(membersOf(body.billingAddress)),
    ...(isJsonObject(body.mpiData) && { mpi: body.mpiData as NonNullable<AdyenOrder['mpi']> }),
    ...(!isManual && { captureDelayHours: Number(body.captureDelayHours ?? 0) }),
    ...(simulate && { simulate }),
  };
}

/** Street of addresses that ask for a result by the number at the start of the house. */
const TEST_STREET = 'Test AVS result';

function testAvsOf({ street, houseNumberOrName }: JsonMembers): Pick<AdyenOrder, 'testAvs'> {
  const number = /^(?:1?\d|2[0-6])(?!\d)/.exec(textOf(houseNumberOrName) ?? '')?.[0];
  return street === TEST_STREET && number !== undefined ? { testAvs: number } : {};
}

function referenceFault({ reference, returnUrl }: JsonMembers): StandInAnswer | undefined {
  if (reference !== undefined && typeof reference !== 'string')
    return unreadable('Unexpected input for reference, expected text');
  if (textOf(reference) === undefined)
    return invalidRequest('130', "Required field 'reference' is not provided.");
  if (String(reference).length > REFERENCE_LENGTH_MAX)
    return invalidRequest('130', 'Field reference is too long');
  return textOf(returnUrl) === undefined
    ? invalidRequest('14_030', 'Return URL is missing.')
    : undefined;
}

function interactionFault(body: JsonMembers): StandInAnswer | undefined {
  const { shopperInteraction, recurringProcessingModel, shopperReference } = body;
  if (shopperInteraction !== undefined && !INTERACTIONS.includes(shopperInteraction))
    return unreadable('Unexpected input for shopperInteraction');
  if (recurringProcessingModel !== undefined && !MODELS.includes(recurringProcessingModel))
    return unreadable('Unexpected input for recurringProcessingModel');
  const needsShopper = recurringProcessingModel !== undefined || body.storePaymentMethod === true;
  if (needsShopper && shopperReference === undefined)
    return invalidRequest('000', 'Recurring payments require a shopperReference');
  const length = textOf(shopperReference)?.length ?? SHOPPER_REFERENCE_LENGTH_MIN;
  const isLengthValid =
    length >= SHOPPER_REFERENCE_LENGTH_MIN && length <= SHOPPER_REFERENCE_LENGTH_MAX;
  return isLengthValid ? undefined : invalidRequest('000', 'Invalid shopperReference');
}

function additionalDataFault({
  additionalData,
  captureDelayHours = 0,
}: JsonMembers): StandInAnswer | undefined {
  if (Object.values(membersOf(additionalData)).some((value) => typeof value !== 'string'))
    return unreadable('Unexpected input for additionalData, expected text');
  const isDelayValid =
    typeof captureDelayHours === 'number' &&
    captureDelayHours >= 0 &&
    captureDelayHours <= CAPTURE_DELAY_HOURS_MAX;
  return isDelayValid ? undefined : unreadable('Unexpected input for captureDelayHours');
}

function metadataFault(metadata: unknown): StandInAnswer | undefined {
  if (metadata === undefined) return undefined;
  const entries = Object.entries(membersOf(metadata));
  if (!isJsonObject(metadata) || entries.some(([, value]) => typeof value !== 'string'))
    return unreadable('Unexpected input for metadata, expected text');
  const isShort = entries.every(
    ([key, value]) =>
      key.length <= METADATA_KEY_LENGTH_MAX && String(value).length <= METADATA_VALUE_LENGTH_MAX,
  );
  return entries.length <= METADATA_PAIRS_MAX && isShort
    ? undefined
    : invalidRequest('177', 'Metadata size exceeds limit');
}

/** A billing address needs all of its members, and a state in the United States and Canada. */
function addressFault(address: unknown): StandInAnswer | undefined {
  if (address === undefined) return undefined;
  const members = membersOf(address);
  const missing = addressMembers.find(([, name]) => textOf(members[name]) === undefined);
  if (missing) return invalidRequest(missing[0], `Billing address problem (${missing[2]})`);
  if (!/^[A-Z]{2}$/.test(String(members.country)))
    return invalidRequest('134', 'Billing address problem (Country)');
  const needsState = members.country === 'US' || members.country === 'CA';
  return needsState && textOf(members.stateOrProvince) === undefined
    ? invalidRequest('135', 'Billing address problem (StateOrProvince)')
    : undefined;
}

function mpiFault(mpiData: unknown): StandInAnswer | undefined {
  if (mpiData === undefined) return undefined;
  const members = membersOf(mpiData);
  if (Object.values(members).some((value) => typeof value !== 'string'))
    return unreadable('Unexpected input for mpiData, expected text');
  return unknownMembersError('ThreeDSecureData', members);
}
