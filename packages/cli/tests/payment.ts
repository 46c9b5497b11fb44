import { setTimeout as sleep } from 'node:timers/promises';

const SETTLE_MS = 60_000;

const headersOf = (key: string) => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/vnd.api+json',
  'user-agent': 'two-machines/1',
});

const relation = (type: string, id: string) => ({ data: { type, id } });

/** Creates and confirms a payment at a running Florin. Returns its id. */
export async function pay(baseUrl: string, key: string, amount_cents: number): Promise<string> {
  const post = async (path: string, body: object): Promise<string> => {
    const response = await fetch(`${baseUrl}/v2/${path}`, {
      method: 'POST',
      headers: headersOf(key),
      body: JSON.stringify({ data: { type: path, ...body } }),
    });
    const { data } = (await response.json()) as { data?: { id: string } };
    if (!data) throw new Error(`${path} was answered ${response.status}`);
    return data.id;
  };
  const payer = await post('customers', { attributes: { email: 'ada@example.com' } });
  const address = await post('consumer_addresses', {
    attributes: { line_1: '1 Main', city: 'New York', state: 'NY', zip: '10001', country: 'USA' },
  });
  const card = await post('payment_methods', {
    attributes: {
      card_pan_token: 'pan_test_visa',
      card_cvv_token: 'cvv_test',
      expiry_month: 12,
      expiry_year: 2031,
    },
  });
  return post('payment_demands', {
    attributes: {
      amount_cents,
      amount_currency: 'USD',
      purchase_reference: 'order-1',
      purchase_kind: 'order',
      confirmed: true,
    },
    relationships: {
      payer: relation('customers', payer),
      payment_method: relation('payment_methods', card),
      billing_address: relation('consumer_addresses', address),
    },
  });
}

/** Returns the payment as soon as it matches `pattern`. */
export async function waitForPayment(
  baseUrl: string,
  key: string,
  id: string,
  pattern: RegExp,
): Promise<string> {
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const response = await fetch(`${baseUrl}/v2/payment_demands/${id}`, {
      headers: headersOf(key),
    });
    const text = await response.text();
    if (pattern.test(text) || performance.now() > deadline) return text;
    await sleep(100);
  }
}
