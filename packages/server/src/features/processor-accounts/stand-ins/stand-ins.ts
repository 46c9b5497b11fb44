import { randomBytes, randomInt } from 'node:crypto';
import type { DisputeEnd } from '@florin/contract/protocol/processor-command.ts';
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
  readonly account_settings: Readonly<Record<string, string | boolean>>;
}

/** The simulator's stand-in of a processor. */
export interface StandIn {
  /** Path at the simulator; the account's `api_url` ends in it. */
  readonly path: string;
  /** A draft with random keys, of a new account or of the one with the stored settings. */
  draft(stored?: Readonly<Record<string, string>>): StandInDraft;
  /** Setting of an account in Florin that names the account at the stand-in. */
  readonly account_setting: string;
  /** Part of the path of a new payment, by which faults select it; absent: any message. */
  readonly payment_path?: string;
  /** Requests to the control surface about disputes. Absent: the processor notifies no disputes. */
  readonly disputes?: {
    /** The payer disputes a payment, by the processor's reference. */
    open(reference: string): ControlRequest;
    /** The bank decides. A second chargeback needs a won dispute. */
    end(reference: string, end: DisputeEnd): readonly ControlRequest[];
  };
  /** Writes a settlement report of the account. Absent: Florin reads no reports of the processor. */
  report?(account: string, unknown_type?: string): ControlRequest;
}

/** A `POST` to the control surface. The path begins after `/control`. */
export interface ControlRequest {
  readonly path: string;
  readonly body: object;
}

/** Events of Adyen that end a dispute. */
const adyenDisputeEnds = {
  won: { event: 'CHARGEBACK_REVERSED', status: 'Won' },
  lost: { event: 'DISPUTE_DEFENSE_PERIOD_ENDED', status: 'Lost' },
  second_chargeback: { event: 'SECOND_CHARGEBACK' },
} as const satisfies Record<DisputeEnd, object>;

/** Statuses of Checkout.com that end a dispute. */
const checkoutDisputeEnds: Readonly<Record<DisputeEnd, readonly string[]>> = {
  won: ['won'],
  lost: ['lost'],
  second_chargeback: ['arbitration_under_review', 'arbitration_lost'],
};

/** Stand-ins by the names of their adapters. */
export const standIns: Readonly<Record<string, StandIn>> = {
  adyen: {
    path: '/adyen',
    draft: adyenDraft,
    account_setting: 'merchant_account',
    payment_path: '/payments$',
    disputes: {
      open: (psp) => ({ path: `/payments/${psp}/disputes`, body: {} }),
      end: (psp, end) => [{ path: `/disputes/${psp}/events`, body: adyenDisputeEnds[end] }],
    },
    report: (account, unknown_type) => ({
      path: `/accounts/${account}/batches`,
      body: { unknown_type },
    }),
  },
  checkout_com: {
    path: '/checkout-com',
    draft: checkoutDraft,
    account_setting: 'processing_channel_id',
    payment_path: '/payments$',
    disputes: {
      open: (id) => ({ path: `/payments/${id}/disputes`, body: {} }),
      end: (id, end) =>
        checkoutDisputeEnds[end].map((status) => ({
          path: `/disputes/${id}/status`,
          body: { status },
        })),
    },
    report: (account, unknown_type) => ({
      path: `/accounts/${account}/payouts`,
      body: { unknown_type },
    }),
  },
  worldpay_cnp: { path: '/worldpay-cnp', draft: cnpDraft, account_setting: 'merchant_id' },
};

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

function adyenDraft({
  merchant_account: account = `Florin_${hex(6)}`,
  several_captures = 'yes',
}: Readonly<Record<string, string>> = {}): StandInDraft {
  const [api_key, hmac_key, password] = [hex(32), hex(32), hex(16)];
  return {
    settings: { merchant_account: account, several_captures },
    url_settings: ['disputes_url', 'report_url'],
    secrets: { api_key, report_key: api_key, hmac_key, webhook_login: `florin:${password}` },
    account,
    account_settings: {
      api_key,
      webhook_hmac_key: hmac_key,
      webhook_username: 'florin',
      webhook_password: password,
      several_captures: several_captures === 'yes',
    },
  };
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const base32 = (length: number): string =>
  Array.from({ length }, () => BASE32[randomInt(BASE32.length)]).join('');

function checkoutDraft({
  processing_channel_id: account = `pc_${base32(26)}`,
}: Readonly<Record<string, string>> = {}): StandInDraft {
  const [secret_key, webhook_key] = [`sk_sbox_${base32(27)}`, hex(32)];
  return {
    settings: { processing_channel_id: account },
    secrets: { secret_key, signature_key: webhook_key },
    account,
    account_settings: { secret_key, webhook_key },
  };
}

function cnpDraft({
  merchant_id: account = hex(8),
  currency = 'USD',
}: Readonly<Record<string, string>> = {}): StandInDraft {
  const [user, password] = [`florin-${hex(6)}`, hex(8)];
  return {
    settings: { merchant_id: account, currency },
    secrets: { user, password },
    account,
    account_settings: { currency, user, password },
  };
}
