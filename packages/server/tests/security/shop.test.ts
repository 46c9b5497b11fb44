import { startStack } from '@florin/dev-env/stack.ts';
import { describe, expect, it } from 'vitest';
import { ORDERS } from '../../src/features/demo/shop/site.ts';
import { useOwnStack } from '../support/api.ts';
import { makeDemand, makeParties } from '../support/make.ts';
import { rawRequest } from '../support/raw-request.ts';

/** The rate limiter's clock stands still, so that no quota refills. */
const api = useOwnStack({ config: { monotonic_ms: () => 0 } });

interface Order {
  readonly payment_id: string;
  readonly signature: string;
}

const post = (path: string) => fetch(`${api.stack.baseUrl}${path}`, { method: 'POST' });
const pay = (id: string, signature: string) =>
  post(`/shop/orders/${id}/pay?signature=${signature}`);

const makeOrder = async (): Promise<Order> => (await (await post('/shop/orders')).json()) as Order;

describe('the demo shop', () => {
  it('confirms only payments that it created', async () => {
    const [order, otherOrder] = [await makeOrder(), await makeOrder()];
    const { id } = await makeDemand(api.client, {}, await makeParties(api.client));
    for (const signature of ['', order.signature, `${order.signature}&signature=b`]) {
      expect((await pay(id, signature)).status).toBe(422);
    }
    const refusal = await pay(otherOrder.payment_id, order.signature);
    expect(await refusal.json()).toEqual({ message: 'The demo shop has no such order.' });
    expect((await api.client.fetch('payment_demands', id)).attributes.status).toBe('ready');
  });

  it('confirms its own, which still lacks a card here', async () => {
    const order = await makeOrder();
    const answer = await pay(order.payment_id, order.signature);
    expect(answer.status).toBe(422);
    expect(await answer.json()).not.toEqual({ message: 'The demo shop has no such order.' });
  });

  it.each<Record<string, string>>([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('accepts nothing from another site (%o)', async (headers) => {
    const { payment_id, signature } = await makeOrder();
    for (const path of ['/shop/orders', `/shop/orders/${payment_id}/pay?signature=${signature}`]) {
      const { status } = await rawRequest(api.stack.baseUrl, {
        method: 'POST',
        path,
        headers: { ...headers, host: new URL(api.stack.baseUrl).host },
      });
      expect(status).toBe(403);
    }
  });

  it('does not exist, and is not linked, if it is switched off', async () => {
    await using stack = await startStack({ config: { demo_shop: false } });
    const statuses = await Promise.all([
      fetch(`${stack.baseUrl}/shop`),
      fetch(`${stack.baseUrl}/shop/orders`, { method: 'POST' }),
      fetch(`${stack.baseUrl}/home.css`),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 200]);
    expect(await (await fetch(stack.baseUrl)).text()).not.toContain('/shop');
  });

  it('refuses orders beyond its rate', async () => {
    const orderRequests = Array.from({ length: ORDERS.requests }, () => post('/shop/orders'));
    const statuses = (await Promise.all(orderRequests)).map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses).toContain(429);
  });
});
