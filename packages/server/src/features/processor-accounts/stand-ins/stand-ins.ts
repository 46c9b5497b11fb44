import { randomBytes, randomInt } from 'node:crypto';
import type { FieldValues } from '../fields.ts';

/** A new account at a stand-in: its fields in Florin, and its settings at the stand-in. */
export interface StandInDraft {
  /** Fields besides `api_url`. */
  readonly settings: FieldValues['settings'];
  /** Names of further settings with the address of the stand-in. */
  readonly url_settings?: readonly string[];
  readonly secrets: Readonly<Record<string, string>>;
  /** Account on the stand-in's control surface, with its settings besides the address of notifications. */
  readonly account: string;
  readonly account_settings: Readonly<Record<string, string>>;
}

/** The simulator's stand-in of a processor. */
export interface StandIn {
  /** Path at the simulator; the account's `api_url` ends in it. */
  readonly path: string;
  /** A draft with random keys. */
  draft(): StandInDraft;
}

/** Stand-ins by the names of their adapters. */
export const standIns: Readonly<Record<string, StandIn>> = {
  adyen: { path: '/adyen', draft: adyenDraft },
  checkout_com: { path: '/checkout-com', draft: checkoutDraft },
  worldpay_cnp: { path: '/worldpay-cnp', draft: cnpDraft },
};

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

function adyenDraft(): StandInDraft {
  const account = `Florin_${hex(6)}`;
  const [api_key, hmac_key, password] = [hex(32), hex(32), hex(16)];
  return {
    settings: { merchant_account: account },
    url_settings: ['disputes_url', 'report_url'],
    secrets: { api_key, report_key: api_key, hmac_key, webhook_login: `florin:${password}` },
    account,
    account_settings: {
      api_key,
      webhook_hmac_key: hmac_key,
      webhook_username: 'florin',
      webhook_password: password,
    },
  };
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const base32 = (length: number): string =>
  Array.from({ length }, () => BASE32[randomInt(BASE32.length)]).join('');

function checkoutDraft(): StandInDraft {
  const account = `pc_${base32(26)}`;
  const [secret_key, webhook_key] = [`sk_sbox_${base32(27)}`, hex(32)];
  return {
    settings: { processing_channel_id: account },
    secrets: { secret_key, signature_key: webhook_key },
    account,
    account_settings: { secret_key, webhook_key },
  };
}

function cnpDraft(): StandInDraft {
  const account = hex(8);
  const [currency, user, password] = ['USD', `florin-${hex(6)}`, hex(8)];
  return {
    settings: { merchant_id: account, currency },
    secrets: { user, password },
    account,
    account_settings: { currency, user, password },
  };
}
