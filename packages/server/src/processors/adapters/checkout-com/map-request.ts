import type { CardBrand } from '@florin/contract/card/networks.ts';
import type { Login } from '@florin/contract/protocol/processor-accounts.ts';
import type { CardFields, Credentials, WalletKind } from '@florin/contract/protocol/vault.ts';
import { withoutUndefined } from '../../port/build-body.ts';
import type { MapRequest } from '../../port/define-adapter.ts';
import type { CardRequest, Money, WireRequest } from '../../port/message.ts';
import type { AccountSettings } from '../../port/metadata.ts';
import { toProcessorUnits } from '../../port/minor-units.ts';
import type {
  AuthoriseInput,
  BillingAddress,
  FollowUpInput,
  Payer,
  StoredCredential,
} from '../../port/processor.ts';
import { checkoutExponents } from './metadata.ts';
import { shortReference } from './reference.ts';

/** Timeouts in milliseconds. Payments stay below the lease of an attempt. */
const AUTHORISE_MS = 15_000;
const FOLLOW_UP_MS = 10_000;
const INQUIRE_MS = 5_000;
/** Payments with one reference. More than one is a fault, and all of them fit. */
const LIST_MAX = 100;

export const checkoutLogin: Login = {
  headers: { authorization: { prefix: 'Bearer ', secret: 'secret_key' } },
};

export const credentialsOf = ({ id }: AccountSettings): Credentials => ({
  account_id: id,
  ...checkoutLogin,
});

/** A question to an account. */
export const checkoutGet = (account: AccountSettings, path: string): WireRequest => ({
  method: 'GET',
  url: account.settings.api_url + path,
  headers: {},
  credentials: credentialsOf(account),
  timeout_ms: INQUIRE_MS,
});

/** A message to an account. */
export const checkoutPost = (
  account: AccountSettings,
  path: string,
  body: object,
  idempotency_key?: string,
) => ({
  method: 'POST' as const,
  url: account.settings.api_url + path,
  headers: {
    'content-type': 'application/json',
    ...(idempotency_key !== undefined && { 'cko-idempotency-key': idempotency_key }),
  },
  credentials: credentialsOf(account),
  body,
  timeout_ms: FOLLOW_UP_MS,
});

const listByReference = (account: AccountSettings, id: string): WireRequest =>
  checkoutGet(
    account,
    `/payments?reference=${encodeURIComponent(shortReference(id))}&limit=${LIST_MAX}`,
  );

const pathOf = (payment: string): string => `/payments/${encodeURIComponent(payment)}`;

/** Amounts that Checkout.com cannot express are no candidates of a route, so they never arrive here. */
function unitsOf(money: Money): number {
  const amount = toProcessorUnits(money, checkoutExponents);
  if (amount === undefined) throw new RangeError(`${money.currency} has no such amount`);
  return amount;
}

function authorise(account: AccountSettings, input: AuthoriseInput): CardRequest {
  const { attempt_id, payment_id, currency, idempotency_key } = input;
  const { source, card_fields } = sourceOf(input);
  const body = {
    source,
    amount: unitsOf(input),
    currency,
    // A capture by Checkout.com could not be told from a hold.
    capture: false,
    reference: shortReference(attempt_id),
    processing_channel_id: account.settings.processing_channel_id,
    authorization_type: 'Final',
    ...initiationOf(input),
    ...customerOf(input.payer),
    ...deviceOf(input.payer),
    ...descriptorOf(account, input),
    metadata: { attempt_id, ...(payment_id !== undefined && { payment_id }) },
  };
  const request = checkoutPost(account, '/payments', body, idempotency_key);
  return { ...request, card_fields, timeout_ms: AUTHORISE_MS };
}

const cardPointers: CardFields = {
  '/source/number': 'pan',
  '/source/expiry_month': 'expiry_month_number',
  '/source/expiry_year': 'expiry_year_number',
};
const tokenPointers: CardFields = {
  '/source/token': 'pan',
  '/source/expiry_month': 'expiry_month_number',
  '/source/expiry_year': 'expiry_year_number',
  '/source/cryptogram': 'cryptogram',
  '/source/eci': 'eci',
};
/** Checkout.com wants the indicator of Visa's tokens, also where the token service sent none. */
const visaPointers: CardFields = { ...tokenPointers, '/source/eci': 'eci_or_05' };
const cvvPointer: CardFields = { '/source/cvv': 'cvv' };

/** All places of a payment where card data may be. */
export const checkoutCardPlaces: CardFields = { ...cardPointers, ...tokenPointers, ...cvvPointer };

/** All places of a payment where a network token of Visa may be. */
export const checkoutTokenPlaces: CardFields = visaPointers;

const tokenTypes: Readonly<Record<WalletKind, string>> = {
  apple_pay: 'applepay',
  google_pay: 'googlepay',
};

/** The card or the wallet's device number. Both leave null what the vault fills in. */
function sourceOf(input: AuthoriseInput): { source: object; card_fields: CardFields } {
  const { wallet, initiated_by_merchant, payer, stored_credential } = input;
  const expiry = { expiry_month: null, expiry_year: null };
  const use = {
    ...storageOf(stored_credential),
    ...(payer?.billing_address && { billing_address: addressOf(payer.billing_address) }),
  };
  if (input.network_token) return networkTokenOf(input, { ...expiry, ...use });
  if (wallet?.cryptogram)
    return {
      source: {
        type: 'network_token',
        token: null,
        token_type: tokenTypes[wallet.kind],
        ...expiry,
        cryptogram: null,
        eci: null,
        ...use,
      },
      card_fields: tokenPointers,
    };
  const card = { type: 'card', number: null, ...expiry };
  if (initiated_by_merchant)
    return { source: { ...card, ...use, stored: true }, card_fields: cardPointers };
  return {
    source: { ...card, cvv: null, ...use },
    card_fields: { ...cardPointers, ...cvvPointer },
  };
}

/** Token services as `token_type`. */
const tokenServices: Partial<Record<CardBrand, string>> = { visa: 'vts', mastercard: 'mdes' };

/** A merchant's network token. Other networks are no candidates of a route, so they never arrive here. */
function networkTokenOf(
  { network = 'unknown', network_token, initiated_by_merchant }: AuthoriseInput,
  more: object,
): { source: object; card_fields: CardFields } {
  const token_type = tokenServices[network];
  if (!token_type) throw new RangeError(`${network} has no tokens at Checkout.com`);
  const source = { type: 'network_token', token: null, token_type, ...more };
  if (network_token?.cryptogram)
    return {
      source: { ...source, cryptogram: null, eci: null },
      card_fields: network === 'visa' ? visaPointers : tokenPointers,
    };
  const { '/source/cryptogram': _, '/source/eci': __, ...card_fields } = tokenPointers;
  return {
    source: { ...source, ...(initiated_by_merchant && { stored: true }) },
    card_fields: card_fields as CardFields,
  };
}

const storageOf = (use?: StoredCredential): object =>
  use?.use === 'later' ? { stored: true } : { store_for_future_use: use !== undefined };

const addressOf = ({ line1, line2, city, state, postal_code, country }: BillingAddress): object =>
  withoutUndefined({
    address_line1: line1,
    address_line2: line2,
    city,
    state,
    zip: postal_code,
    country,
  });

/** Initiator of the payment, with the payer's authentication. Never lets Checkout.com start a challenge of its own. */
function initiationOf(input: AuthoriseInput): object {
  const { initiated_by_merchant, stored_credential, sales_channel } = input;
  const isRecurring = stored_credential?.reason === 'recurring';
  if (sales_channel) return { payment_type: 'MOTO', merchant_initiated: false };
  if (!initiated_by_merchant)
    return {
      payment_type: isRecurring ? 'Recurring' : 'Regular',
      merchant_initiated: false,
      '3ds': threedsOf(input),
    };
  return {
    payment_type: isRecurring ? 'Recurring' : 'Unscheduled',
    merchant_initiated: true,
    previous_payment_id: initiated_by_merchant.network_transaction_id,
  };
}

/** Authenticated (`Y`) or attempted (`A`): only these shift the liability. */
const PROVEN = ['Y', 'A'];

function threedsOf({ authentication }: AuthoriseInput): object {
  const { eci, cryptogram, status, version, directory_transaction_eid } = authentication ?? {};
  if (!eci || !cryptogram || !PROVEN.includes(status ?? ''))
    return { enabled: false, allow_upgrade: false };
  return {
    enabled: true,
    attempt_n3d: false,
    allow_upgrade: false,
    eci,
    cryptogram,
    status,
    ...(version && { version }),
    ...(directory_transaction_eid && { xid: directory_transaction_eid }),
  };
}

const customerOf = ({ email, name }: Payer = {}): object =>
  email === undefined ? {} : { customer: withoutUndefined({ email, name }) };

/** Address of the payer's browser for Checkout.com's risk assessment, which is on by default. */
const deviceOf = ({ ip }: Payer = {}): object =>
  ip === undefined
    ? {}
    : {
        risk: { enabled: true, device: { network: { [ip.includes(':') ? 'ipv6' : 'ipv4']: ip } } },
      };

const descriptorOf = ({ settings }: AccountSettings, { descriptor }: AuthoriseInput): object =>
  descriptor !== undefined && settings.descriptor_city
    ? { billing_descriptor: { name: descriptor.slice(0, 25), city: settings.descriptor_city } }
    : {};

function followUp(account: AccountSettings, kind: string, input: FollowUpInput, more: object = {}) {
  const { demand_id, processor_reference, idempotency_key, tells_final } = input;
  const body = {
    amount: unitsOf(input),
    reference: shortReference(demand_id),
    metadata: { demand_id, ...(tells_final && { final: String(input.final !== false) }) },
    ...more,
  };
  return checkoutPost(
    account,
    `${pathOf(String(processor_reference))}/${kind}`,
    body,
    idempotency_key,
  );
}

const actionsOf = (account: AccountSettings, payment?: string): WireRequest =>
  checkoutGet(account, `${pathOf(String(payment))}/actions`);

/** Messages to Checkout.com: Payments API of accounts on the current platform. */
export const checkoutRequests: MapRequest = {
  authorise,
  inquire: (account, { attempt_id, processor_reference }) =>
    processor_reference === undefined
      ? listByReference(account, attempt_id)
      : checkoutGet(account, pathOf(processor_reference)),
  // Without a payment's id nothing can be reversed: the list tells whether there is anything to reverse.
  reverse: (account, { attempt_id, processor_reference }) =>
    processor_reference === undefined
      ? listByReference(account, attempt_id)
      : checkoutPost(account, `${pathOf(processor_reference)}/reversals`, {
          reference: shortReference(attempt_id),
          metadata: { attempt_id },
        }),
  // After a final capture Checkout.com voids the rest.
  capture: (account, input) =>
    followUp(account, 'captures', input, {
      capture_type: input.final === false ? 'NonFinal' : 'Final',
    }),
  refund: (account, input) => followUp(account, 'refunds', input),
  inquireCapture: (account, { processor_reference }) => actionsOf(account, processor_reference),
  inquireRefund: (account, { processor_reference }) => actionsOf(account, processor_reference),
  changes: (account, { processor_reference }) => actionsOf(account, processor_reference),
  check: (account) => checkoutGet(account, '/payments?reference=florin-check&limit=1'),
};
