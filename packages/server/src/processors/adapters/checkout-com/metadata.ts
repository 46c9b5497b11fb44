import { exponentOf } from '@florin/contract/money.ts';
import { walletKinds } from '@florin/contract/protocol/vault.ts';
import { refusalOfPlainAddress } from '../../port/live-address.ts';
import type { Money } from '../../port/message.ts';
import type { ProcessorMetadata } from '../../port/metadata.ts';
import { type Exponents, toProcessorUnits } from '../../port/minor-units.ts';
import { checkoutFileKinds, checkoutTextRules } from './evidence-kinds.ts';

/** Decimals of currencies where Checkout.com differs from ISO 4217 (its page "Calculating the amount"). */
export const checkoutExponents: Exponents = { CLP: 2 };

/** Checkout.com takes at most nine digits. */
const AMOUNT_MAX = 999_999_999;

/** Amounts with three decimals must end in zero. */
function takesAmount(money: Money): boolean {
  const amount = toProcessorUnits(money, checkoutExponents);
  if (amount === undefined || amount > AMOUNT_MAX) return false;
  return exponentOf(money.currency) !== 3 || amount % 10 === 0;
}

/** A sandbox address in live mode would approve payments without money, and the reverse would charge test orders. */
function refusalOf({ mode, settings }: Parameters<NonNullable<ProcessorMetadata['refusalOf']>>[0]) {
  const { hostname } = new URL(settings.api_url as string);
  const isSandbox = /\.sandbox\.checkout\.com$/.test(hostname);
  const isLive = !isSandbox && /\.checkout\.com$/.test(hostname);
  if (mode === 'live' && isSandbox)
    return 'settings.api_url is a sandbox address, and the account is for live mode.';
  if (mode === 'sandbox' && isLive)
    return 'settings.api_url is a live address, and the account is for the sandbox.';
  return refusalOfPlainAddress({ mode, settings });
}

/** Ids of actions and sessions have other prefixes. */
const PAYMENT_ID = /^pay_[a-z0-9]{26}$/;

/** Largest file of evidence: 4 MB. */
const FILE_BYTES_MAX = 4_000_000;

export const checkoutMetadata: ProcessorMetadata = {
  name: 'checkout_com',
  display_name: 'Checkout.com',
  identity: ['processing_channel_id'],
  signature_field: 'signature_key',
  fields: [
    {
      name: 'api_url',
      label: 'API base URL',
      help: 'The address with the prefix of your account, from Developers, Overview.',
      secret: false,
      required: true,
      pattern: /https?:\/\/[a-z0-9.-]+(?::\d{1,5})?(?:\/[a-z-]+)?/,
      example: 'https://abcd1234.api.sandbox.checkout.com',
    },
    {
      name: 'processing_channel_id',
      label: 'Processing channel',
      help: 'The channel that takes the payments.',
      secret: false,
      required: true,
      pattern: /pc_\w{1,60}/,
      example: 'pc_a7mxzdh5iwsujpv6otpqzvxc2e',
    },
    {
      name: 'descriptor_city',
      label: 'City on statements',
      help: 'Sent with the text on statements. Without a city, Checkout.com takes its default for both.',
      secret: false,
      required: false,
      pattern: /[A-Za-z0-9 .-]{1,13}/,
      example: 'London',
    },
    {
      name: 'secret_key',
      label: 'Secret key',
      help: 'A key for payments of this channel. Full card details must be enabled for the account.',
      secret: true,
      required: true,
      mode_patterns: {
        live: /sk_[a-z2-7]{26}[a-z2-7*#$=]/,
        sandbox: /sk_sbox_[a-z2-7]{26}[a-z2-7*#$=]/,
      },
    },
    {
      name: 'signature_key',
      label: 'Signature key',
      help: 'The key of the webhook that sends notifications to this account.',
      secret: true,
      required: false,
    },
    {
      name: 'signature_key_before',
      label: 'Earlier signature key',
      help: 'Accepted as well, while the key is rotated.',
      secret: true,
      required: false,
    },
  ],
  networks: ['visa', 'mastercard', 'amex', 'discover', 'diners', 'jcb', 'maestro'],
  currencies: 'all',
  // Their decimals at Checkout.com are not known without doubt.
  refused_currencies: ['CLF', 'MGA', 'MRU', 'UYI'],
  takesAmount,
  payment_ids: {
    form: 'the payment’s id of the Dashboard: pay_ and 26 letters and digits',
    referenceOf: (id) => (PAYMENT_ID.test(id) ? id : undefined),
  },
  refusalOf,
  capabilities: {
    direct_capture: false,
    partial_capture: true,
    several_captures: true,
    partial_refund: true,
    wallets: walletKinds,
    network_tokens: ['visa', 'mastercard'],
    external_threeds: true,
    merchant_initiated: true,
    evidence_files: true,
  },
  evidence: {
    file_bytes_max: {
      'application/pdf': FILE_BYTES_MAX,
      'image/png': FILE_BYTES_MAX,
      'image/jpeg': FILE_BYTES_MAX,
    },
    texts: checkoutTextRules,
    one_file_of: checkoutFileKinds,
  },
  recovery: { strategy: 'inquire', refused_reversal_max_s: 24 * 60 * 60 },
  // The delay of lists by reference is not documented. Idempotency keys are kept for a day.
  arrival_ms_max: 24 * 60 * 60 * 1_000,
  idempotency_ms: 24 * 60 * 60 * 1_000,
};
