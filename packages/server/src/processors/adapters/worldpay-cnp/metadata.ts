import { walletKinds } from '@florin/contract/protocol/vault.ts';
import { refusalOfPlainAddress } from '../../port/live-address.ts';
import type { AccountField, ProcessorMetadata } from '../../port/metadata.ts';
import { referenceOfId } from './reference.ts';

/** The schema's amounts have twelve digits. */
const AMOUNT_MAX = 999_999_999_999;

/** `currencyCodeEnum` of the schema without JPY: whether its amounts have implied decimals is not documented. */
const CURRENCIES = 'AUD CAD CHF DKK EUR GBP HKD NOK NZD SEK SGD USD'.split(' ');

const LIVE_HOST = /^payments\.(?:vantivcnp|east\.vantivcnp|west\.vantivcnp)\.com$/;
const TEST_HOST = /(?:^|\.)(?:testvantivcnp|vantivprelive|vantivpostlive)\.com$/;

/** A test address in live mode would approve payments without money, and the reverse would charge test orders. */
function refusalOf({ mode, settings }: Parameters<NonNullable<ProcessorMetadata['refusalOf']>>[0]) {
  const { hostname } = new URL(settings.api_url as string);
  if (mode === 'live' && TEST_HOST.test(hostname))
    return 'settings.api_url is a test address, and the account is for live mode.';
  if (mode === 'sandbox' && LIVE_HOST.test(hostname))
    return 'settings.api_url is a live address, and the account is for the sandbox.';
  return refusalOfPlainAddress({ mode, settings });
}

const settingFields: readonly AccountField[] = [
  {
    name: 'api_url',
    label: 'API base URL',
    help: 'The address for online transactions without /communicator/online.',
    secret: false,
    required: true,
    pattern: /https?:\/\/[a-z0-9.-]+(?::\d{1,5})?(?:\/[a-z-]+)?/,
    example: 'https://payments.vantivprelive.com/vap',
  },
  {
    name: 'merchant_id',
    label: 'Merchant id',
    help: 'The merchant id that Worldpay assigned to this currency.',
    secret: false,
    required: true,
    pattern: /\w{1,50}/,
    example: '01183801',
  },
  {
    name: 'currency',
    label: 'Currency',
    help: 'Messages name no currency: each merchant id has one. Payments in others never use this account.',
    secret: false,
    required: true,
    pattern: new RegExp(CURRENCIES.join('|')),
    example: 'USD',
  },
  {
    name: 'report_group',
    label: 'Report group',
    help: 'The group of the payments in Worldpay’s reports. Without it: Default Report Group.',
    secret: false,
    required: false,
    pattern: /[\w-](?:[\w -]{0,23}[\w-])?/,
    example: 'Online shop',
  },
];

const secretFields: readonly AccountField[] = [
  {
    name: 'user',
    label: 'User',
    help: 'The user of the interface, not of iQ.',
    secret: true,
    required: true,
    pattern: /[\x21-\x7e]{4,20}/,
  },
  {
    name: 'password',
    label: 'Password',
    help: 'The password of the user. Worldpay limits it to 20 characters.',
    secret: true,
    required: true,
    pattern: /[\x21-\x7e]{4,20}/,
  },
];

const DAY_MS = 24 * 60 * 60 * 1_000;

export const cnpMetadata: ProcessorMetadata = {
  name: 'worldpay_cnp',
  display_name: 'Worldpay cnpAPI (experimental)',
  fields: [...settingFields, ...secretFields],
  networks: ['visa', 'mastercard', 'amex', 'discover', 'diners', 'jcb'],
  currencies: CURRENCIES,
  refused_currencies: [],
  currenciesOf: ({ settings }) => [settings.currency as string],
  takesAmount: ({ amount }) => amount <= AMOUNT_MAX,
  refusalOf,
  capabilities: {
    direct_capture: true,
    partial_capture: true,
    several_captures: false,
    partial_refund: true,
    wallets: walletKinds,
    network_tokens: [],
    external_threeds: true,
    merchant_initiated: true,
    evidence_files: false,
  },
  payment_ids: {
    form: 'the payment’s cnpTxnId of the reports: at most 19 digits',
    referenceOf: referenceOfId,
  },
  recovery: { strategy: 'inquire', refused_reversal_max_s: DAY_MS / 1_000 },
  // The delay of queries is not documented. Duplicates are found for two days.
  arrival_ms_max: DAY_MS,
  idempotency_ms: 2 * DAY_MS,
};
