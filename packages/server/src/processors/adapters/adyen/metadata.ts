import { walletKinds } from '@florin/contract/protocol/vault.ts';
import { refusalOfPlainAddress } from '../../port/live-address.ts';
import type { Money } from '../../port/message.ts';
import type { AccountField, ProcessorMetadata } from '../../port/metadata.ts';
import { type Exponents, toProcessorUnits } from '../../port/minor-units.ts';

/** Decimals of currencies where Adyen differs from ISO 4217 (its page "Currency codes and minor units"). */
export const adyenExponents: Exponents = { CLP: 2, CVE: 0, IDR: 0, ISK: 2 };

/** Adyen's list of currencies lacks these, so their decimals are not known. */
const UNLISTED = 'AFN BIF BTN CDF ERN IRR KPW LRD LSL MGA SDG SSP SYP TJS TMT VED VES XCG ZWG';

const takesAmount = (money: Money): boolean =>
  toProcessorUnits(money, adyenExponents) !== undefined;

const TEST_HOST = /(?:^|[-.])test\.adyen\.com$/;
const LIVE_HOST = /\.adyenpayments\.com$|-live\.adyen\.com$/;

const CUSTOMER_AREA_HOSTS = { live: 'ca-live.adyen.com', sandbox: 'ca-test.adyen.com' } as const;

/** Only Adyen's own hosts get live keys. The sandbox may have a stand-in. */
function refusalOfAddress(
  name: 'report_url' | 'disputes_url',
  { mode, settings }: Parameters<NonNullable<ProcessorMetadata['refusalOf']>>[0],
): string | undefined {
  const address = settings[name];
  if (address === undefined) return undefined;
  const { protocol, host, pathname } = new URL(address);
  const ownHost = CUSTOMER_AREA_HOSTS[mode];
  const isOwn = protocol === 'https:' && host === ownHost && pathname === '/';
  const isStandIn = mode === 'sandbox' && !host.endsWith('adyen.com');
  return isOwn || isStandIn
    ? undefined
    : `settings.${name} must be https://${ownHost} in this mode.`;
}

/** A test address in live mode would approve payments without money, and the reverse would charge test orders. */
function refusalOf({
  mode,
  settings,
}: Parameters<NonNullable<ProcessorMetadata['refusalOf']>>[0]): string | undefined {
  const { hostname, pathname } = new URL(settings.api_url as string);
  const [isTest, isLive] = [TEST_HOST.test(hostname), LIVE_HOST.test(hostname)];
  if (mode === 'live' && isTest)
    return 'settings.api_url is a test address, and the account is for live mode.';
  if (mode === 'sandbox' && isLive)
    return 'settings.api_url is a live address, and the account is for the sandbox.';
  if (isLive && pathname !== '/checkout')
    return 'settings.api_url must end in /checkout, as Adyen’s live addresses do.';
  if (isTest && pathname !== '/')
    return 'settings.api_url must have no path, as Adyen’s test address has none.';
  return (
    refusalOfAddress('report_url', { mode, settings }) ??
    refusalOfAddress('disputes_url', { mode, settings }) ??
    refusalOfPlainAddress({ mode, settings })
  );
}

const settingFields: readonly AccountField[] = [
  {
    name: 'api_url',
    label: 'API base URL',
    help: 'Without version. Live: the address with your prefix, from Developers, API URLs, with /checkout.',
    secret: false,
    required: true,
    pattern: /https?:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:\/[a-z-]+){0,2}/,
    example: 'https://checkout-test.adyen.com',
  },
  {
    name: 'merchant_account',
    label: 'Merchant account',
    help: 'The merchant account that takes the payments, not the company account. Case matters.',
    secret: false,
    required: true,
    pattern: /\w[\w-]{0,79}/,
    example: 'ExampleShop_ECOM',
  },
  {
    name: 'report_url',
    label: 'Address of reports',
    help: 'Host of settlement details reports. Without it Florin settles no payments of the account.',
    secret: false,
    required: false,
    pattern: /https?:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:\/[a-z-]+)?/,
    example: 'https://ca-test.adyen.com',
  },
  {
    name: 'disputes_url',
    label: 'Disputes API URL',
    help: 'Live: https://ca-live.adyen.com. Without it, disputes are answered in the Customer Area only.',
    secret: false,
    required: false,
    pattern: /https?:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:\/[a-z-]+)?/,
    example: 'https://ca-test.adyen.com',
  },
  {
    name: 'several_captures',
    label: 'Several captures',
    help: 'Yes, after Adyen’s support has enabled several partial captures for the merchant account.',
    secret: false,
    required: false,
    pattern: /yes|no/,
    example: 'no',
  },
  {
    name: 'return_url',
    label: 'Return URL',
    help: 'Adyen wants an address for payers who return. Florin sends nobody there.',
    secret: false,
    required: false,
    pattern: /https:\/\/[\w./-]{1,200}/,
    example: 'https://shop.example.com/return',
  },
];

const secretFields: readonly AccountField[] = [
  {
    name: 'api_key',
    label: 'API key',
    help: 'A key with the roles Checkout webservice and API PCI Payments, from Developers, API credentials.',
    secret: true,
    required: true,
    pattern: /[\x21-\x7e]{16,512}/,
  },
  {
    name: 'report_key',
    label: 'API key of reports',
    help: 'A key with the role Merchant Report Download. Needed with the address of reports.',
    secret: true,
    required: false,
    pattern: /[\x21-\x7e]{16,512}/,
  },
  {
    name: 'hmac_key',
    label: 'HMAC key of the webhook',
    help: 'Generated at the webhook under Security. Notifications are refused without it.',
    secret: true,
    required: false,
    pattern: /[0-9A-Fa-f]{64}/,
  },
  {
    name: 'hmac_key_next',
    label: 'Second HMAC key',
    help: 'Accepted beside the first one while you replace a key.',
    secret: true,
    required: false,
    pattern: /[0-9A-Fa-f]{64}/,
  },
  {
    name: 'webhook_login',
    label: 'Login of the webhook',
    help: 'User and password of the webhook’s basic authentication, with a colon between them.',
    secret: true,
    required: false,
    pattern: /[^:\s]{1,100}:\S{1,200}/,
  },
];

const PSP_REFERENCE = /^[A-Z0-9]{16}$/;

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_MS = 24 * HOUR_SECONDS * 1_000;

export const adyenMetadata: ProcessorMetadata = {
  name: 'adyen',
  display_name: 'Adyen',
  identity: ['merchant_account'],
  signature_field: 'hmac_key',
  fields: [...settingFields, ...secretFields],
  networks: ['visa', 'mastercard', 'amex', 'discover', 'diners', 'jcb', 'unionpay', 'maestro'],
  currencies: 'all',
  refused_currencies: UNLISTED.split(' '),
  takesSeveralCaptures: ({ settings }) => settings.several_captures === 'yes',
  takesAmount,
  payment_ids: {
    form: 'the payment’s PSP reference of the Customer Area: 16 capital letters and digits',
    referenceOf: (id) => (PSP_REFERENCE.test(id) ? id : undefined),
  },
  refusalOf,
  capabilities: {
    direct_capture: false,
    partial_capture: true,
    several_captures: false,
    partial_refund: true,
    wallets: walletKinds,
    network_tokens: ['visa', 'mastercard'],
    external_threeds: true,
    merchant_initiated: true,
    evidence_files: true,
  },
  // Adyen takes no PNG and no texts.
  evidence: {
    file_bytes_max: { 'application/pdf': 2_000_000, 'image/jpeg': 5_000_000 },
    texts: [],
  },
  // Adyen answers no question about a payment. A cancellation must not overtake a slow authorisation.
  recovery: {
    strategy: 'cancel',
    cancels_at_s: [15 * MINUTE_SECONDS, HOUR_SECONDS, 6 * HOUR_SECONDS, 24 * HOUR_SECONDS],
    follow_up_max_s: 24 * HOUR_SECONDS,
  },
  // Adyen publishes no limit, and keeps idempotency keys for at least seven days.
  arrival_ms_max: DAY_MS,
  idempotency_ms: 6 * DAY_MS,
};
