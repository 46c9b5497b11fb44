import type { Resource, World } from './world.ts';

const relate = ({ type, id }: Resource) => ({ data: { type, id } });

/** Attributes of an intent. */
export const intent = {
  amount_cents: 2500,
  amount_currency: 'USD',
  purchase_reference: 'order-1',
  purchase_kind: 'order',
  description: 'An enamel mug',
};

/** Body of a create that makes an intent. */
export const intentBody = JSON.stringify({ data: { type: 'payment_demands', attributes: intent } });

/** Body of a create that is confirmed at once, with all that it points to made before. */
export async function confirmedBody(world: World): Promise<string> {
  const [payer, billing_address, payment_method] = await Promise.all([
    world.post('customers', { email: 'bench@example.com', name: 'Bench' }),
    world.post('consumer_addresses', {
      line_1: '1 Main Street',
      city: 'New York',
      state: 'NY',
      zip: '10001',
      country: 'USA',
    }),
    world.post('payment_methods', {
      card_pan_token: 'pan_test_visa',
      expiry_month: 12,
      expiry_year: 2031,
    }),
  ]);
  return JSON.stringify({
    data: {
      type: 'payment_demands',
      attributes: { ...intent, confirmed: true },
      relationships: {
        payer: relate(payer),
        billing_address: relate(billing_address),
        payment_method: relate(payment_method),
      },
    },
  });
}

/** How many payments have not come to an outcome yet. */
export const openPayments = async (world: World): Promise<number> =>
  (
    await world.get(
      '/v2/payment_demands?filter[status]=pending,processing&page[size]=1&page[total]=true&fields[payment_demands]=',
    )
  ).meta.pagination.total;
