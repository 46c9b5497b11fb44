import type { Resource, Testbed } from './testbed.ts';

const relate = ({ type, id }: Resource) => ({ data: { type, id } });

export const intent = {
  amount_cents: 2500,
  amount_currency: 'USD',
  purchase_reference: 'order-1',
  purchase_kind: 'order',
  description: 'An enamel mug',
};

export const intentBody = JSON.stringify({ data: { type: 'payment_demands', attributes: intent } });

/** Creates all related records. Returns the body of a create that is confirmed immediately. */
export async function createConfirmedBody(testbed: Testbed, attributes = {}): Promise<string> {
  const [payer, billing_address, payment_method] = await Promise.all([
    testbed.post('customers', { email: 'bench@example.com', name: 'Bench' }),
    testbed.post('consumer_addresses', {
      line_1: '1 Main Street',
      city: 'New York',
      state: 'NY',
      zip: '10001',
      country: 'USA',
    }),
    testbed.post('payment_methods', {
      card_pan_token: 'pan_test_visa',
      expiry_month: 12,
      expiry_year: 2031,
    }),
  ]);
  return JSON.stringify({
    data: {
      type: 'payment_demands',
      attributes: { ...intent, confirmed: true, ...attributes },
      relationships: {
        payer: relate(payer),
        billing_address: relate(billing_address),
        payment_method: relate(payment_method),
      },
    },
  });
}

/** Number of payments without an outcome. */
export const countOpenPayments = async (testbed: Testbed): Promise<number> =>
  (
    await testbed.get(
      '/v2/payment_demands?filter[status]=pending,processing&page[size]=1&page[total]=true&fields[payment_demands]=',
    )
  ).meta.pagination.total;
