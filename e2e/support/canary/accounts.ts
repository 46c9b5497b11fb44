import { operatorOf } from '../../../packages/server/tests/support/operator.ts';
import type { CanaryTestbed } from './testbed.ts';
import type { Pattern } from './traces.ts';

/** A secret of an account at a processor. */
export interface AccountSecret extends Pattern {
  /** Whether the processor sends the secret to the server, which asks the vault whether it is right. */
  readonly isSentToServer?: boolean;
}

const adyen = {
  api_key: 'AQEcanaryOfAnApiKey5f1c7d9b3e2a',
  hmac_key: 'C0FFEE5EC2E7A11CE5ED0DADBEEFFACE1CEB00DADEC0DE5A1AD5F00DBA5EBA11',
  webhook_login: 'canary-user:canary-password',
};
const checkout = {
  secret_key: 'sk_sbox_canaryofasecretkey234567ab2',
  signature_key: 'canary-of-a-signature-key',
};

/** Secrets of all accounts, which only the vault may have. */
export const accountSecrets: readonly AccountSecret[] = Object.entries({
  ...adyen,
  ...checkout,
}).map(([name, secret]) => ({
  name: `the processor secret ${name}`,
  bytes: Buffer.from(secret),
  isSentToServer: name === 'webhook_login',
}));

/** An account at a stand-in, and the amounts that a rule gives to it. */
interface CanaryAccount {
  readonly processor: string;
  readonly path: string;
  readonly settings: object;
  readonly secrets: object;
  /** Path of the account on the control surface, and its settings there besides the webhook's address. */
  readonly account_path: string;
  readonly account_settings: object;
  readonly amount: number;
}

const CHANNEL = 'pc_canarycanarycanarycanary2';
const MERCHANT_ACCOUNT = 'Canary_ECOM';
const AMOUNTS = 999;
/** Outcomes at the stand-ins come at once. */
const outcome_delay_ms = 50;

export const canaryAccounts: readonly CanaryAccount[] = [
  {
    processor: 'adyen',
    path: '/adyen',
    settings: { merchant_account: MERCHANT_ACCOUNT },
    secrets: adyen,
    account_path: `/accounts/${MERCHANT_ACCOUNT}`,
    account_settings: {
      api_key: adyen.api_key,
      webhook_hmac_key: adyen.hmac_key,
      webhook_username: 'canary-user',
      webhook_password: 'canary-password',
      outcome_delay_ms,
    },
    amount: 41_000,
  },
  {
    processor: 'checkout_com',
    path: '/checkout-com',
    settings: { processing_channel_id: CHANNEL },
    secrets: checkout,
    account_path: `/accounts/${CHANNEL}`,
    account_settings: {
      secret_key: checkout.secret_key,
      webhook_key: checkout.signature_key,
      outcome_delay_ms,
    },
    amount: 43_000,
  },
];

/** Amount of payments that the processor fails without a result: their outcomes stay unknown for a day. */
export const unsettledAmountOf = ({ amount }: CanaryAccount): number => amount + AMOUNTS;

/** Calls the control surface of an account's stand-in. */
export async function control(
  { simulatorUrl }: CanaryTestbed,
  { path: standIn }: CanaryAccount,
  method: string,
  path: string,
  body: object,
): Promise<void> {
  const response = await fetch(`${simulatorUrl}${standIn}/control${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

/** Connects an account at each stand-in, and gives it the payments of its amounts. */
export async function openAccounts(testbed: CanaryTestbed): Promise<void> {
  const operator = operatorOf({ stack: testbed.florin });
  const rules: object[] = [];
  for (const account of canaryAccounts) {
    const { processor, path, settings, secrets, account_path, account_settings, amount } = account;
    await control(testbed, account, 'PUT', account_path, account_settings);
    const api_url = testbed.simulatorUrl + path;
    const { data } = await operator.change('POST', '/processor_accounts', {
      processor,
      mode: 'sandbox',
      name: processor,
      settings: { api_url, ...settings },
      secrets,
    });
    await operator.change('POST', `/processor_accounts/${data.id}/enable`, {});
    const webhook_url = `${testbed.florin.baseUrl}/notifications/${data.id}`;
    await control(testbed, account, 'PUT', account_path, { ...account_settings, webhook_url });
    const conditions = { amount_min: amount, amount_max: amount + AMOUNTS };
    rules.push({ name: processor, conditions, accounts: [data.id] });
  }
  await operator.change('PUT', '/routing/sandbox', { rules });
}

/** Number of secrets of accounts that the vault has stored. */
export async function countAccountSecrets(testbed: CanaryTestbed): Promise<number> {
  const { rowCount } = await (await testbed.database()).query(
    'select from vault.processor_secrets',
  );
  return rowCount ?? 0;
}
