import type { KeyPair } from '../credentials.ts';
import { createProgram } from './program.ts';

/** Server of the demo shop: a merchant's program that calls the interface over HTTP. */
export interface ShopMerchant {
  readonly publishable_key: string;
  /** Creates a payment for the product. Returns its id. */
  order(product: Product): Promise<string>;
  /** Confirms the payment after the form has attached a card. */
  pay(payment_id: string): Promise<void>;
}

export interface Product {
  readonly name: string;
  readonly amount_cents: number;
  readonly amount_currency: string;
}

export function createShopMerchant(base_url: string, keys: KeyPair): ShopMerchant {
  const { create, send, list } = createProgram(base_url, keys.secret_key);

  /** All visits are by one customer. Otherwise each visit would add a customer to the merchant's list. */
  async function findShopper() {
    const [known] = await list(`customers?filter[email]=${SHOPPER.email}&page[size]=1`);
    const payer = known ?? (await create('customers', SHOPPER));
    const [address] = await list(`consumer_addresses?filter[customer]=${payer.id}&page[size]=1`);
    const links = { customer: payer };
    const billing_address = address ?? (await create('consumer_addresses', DEMO_ADDRESS, links));
    return { payer, billing_address };
  }

  return {
    publishable_key: keys.publishable_key,
    async order(product) {
      const { id } = await create('payment_demands', purchaseOf(product), await findShopper());
      return id;
    },
    async pay(payment_id) {
      await send('PATCH', `payment_demands/${encodeURIComponent(payment_id)}/confirm`);
    },
  };
}

const SHOPPER = { email: 'shopper@example.com', name: 'Demo Shopper' } as const;

const DEMO_ADDRESS = {
  line_1: '1 Main Street',
  city: 'New York',
  state: 'NY',
  zip: '10001',
  country: 'USA',
} as const;

const purchaseOf = ({ name, amount_cents, amount_currency }: Product) => ({
  amount_cents,
  amount_currency,
  description: name,
  purchase_reference: `mug-${Date.now()}`,
  purchase_kind: 'order',
  line_items: [{ name, quantity: 1, amount_cents, amount_currency }],
});
