import type { KeyPair } from '../demo/credentials.ts';

/** The demo shop's own server: a merchant's program like any other, which speaks the interface over HTTP. */
export interface ShopMerchant {
  readonly publishable_key: string;
  /** Makes a payment demand for the product and returns its id. */
  order(product: Product): Promise<string>;
  /** Confirms the payment, once the form has put a card on it. */
  pay(payment_id: string): Promise<void>;
}

export interface Product {
  readonly name: string;
  readonly amount_cents: number;
  readonly amount_currency: string;
}

/** The interface refused what the shop asked for; the message is for the shopper. */
export class ShopError extends Error {
  override name = 'ShopError';
}

interface Ref {
  readonly type: string;
  readonly id: string;
}

export function createShopMerchant(base_url: string, keys: KeyPair): ShopMerchant {
  const headers = {
    authorization: `Bearer ${keys.secret_key}`,
    'content-type': 'application/vnd.api+json',
    'user-agent': 'florin-demo-shop/1',
  };

  async function send(method: string, path: string, body?: object): Promise<Ref> {
    const response = await fetch(`${base_url}/v2/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { data?: Ref; errors?: { detail: string }[] };
    if (answer.data) return answer.data;
    throw new ShopError(answer.errors?.[0]?.detail ?? 'The payment service refused the order.');
  }

  const create = (
    type: string,
    attributes: object,
    relations: Record<string, Ref> = {},
  ): Promise<Ref> =>
    send('POST', type, { data: { type, attributes, relationships: linked(relations) } });

  return {
    publishable_key: keys.publishable_key,
    async order(product) {
      const payer = await create('customers', {
        email: 'shopper@example.com',
        name: 'Demo Shopper',
      });
      const billing_address = await create('consumer_addresses', DEMO_ADDRESS, { customer: payer });
      const { id } = await create('payment_demands', purchaseOf(product), {
        payer,
        billing_address,
      });
      return id;
    },
    async pay(payment_id) {
      await send('PATCH', `payment_demands/${encodeURIComponent(payment_id)}/confirm`);
    },
  };
}

const DEMO_ADDRESS = {
  line_1: '1 Main Street',
  city: 'New York',
  state: 'NY',
  zip: '10001',
  country: 'USA',
} as const;

const linked = (relations: Record<string, Ref>) =>
  Object.fromEntries(
    Object.entries(relations).map(([name, { type, id }]) => [name, { data: { type, id } }]),
  );

const purchaseOf = ({ name, amount_cents, amount_currency }: Product) => ({
  amount_cents,
  amount_currency,
  description: name,
  purchase_reference: `mug-${Date.now()}`,
  purchase_kind: 'order',
  line_items: [{ name, quantity: 1, amount_cents, amount_currency }],
});
