import type { Processes } from '@florin/dev-env/start-processes.ts';
import { operatorOf } from '../packages/server/tests/support/operator.ts';
import type { ProcessorProxy } from './processor-proxy.ts';

const SECRET_KEY = 'sk_sbox_benchbenchbenchbenchbench22';

/** Currencies whose payments go to the first and the second account. All others go to the simulated network. */
export const accountCurrencies = ['EUR', 'GBP'] as const;

/** Connects an account at the stand-in of Checkout.com behind each proxy, and gives it the payments of a currency. */
export async function connectAccounts(
  florin: Processes,
  proxies: readonly ProcessorProxy[],
): Promise<void> {
  const operator = operatorOf({ stack: florin });
  const rules: object[] = [];
  for (const [at, { url }] of proxies.entries()) {
    const channel = `pc_bench${at}`;
    await openChannel(`${url}/checkout-com/control/accounts/${channel}`);
    const { data } = await operator.change('POST', '/processor_accounts', {
      processor: 'checkout_com',
      mode: 'sandbox',
      name: channel,
      settings: { api_url: `${url}/checkout-com`, processing_channel_id: channel },
      secrets: { secret_key: SECRET_KEY },
    });
    await operator.change('POST', `/processor_accounts/${data.id}/enable`, {});
    const conditions = { currencies: [accountCurrencies[at]] };
    rules.push({ name: channel, conditions, accounts: [data.id] });
  }
  await operator.change('PUT', '/routing/sandbox', { rules });
}

async function openChannel(url: string): Promise<void> {
  const response = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret_key: SECRET_KEY }),
  });
  if (!response.ok) throw new Error(await response.text());
}
