import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Credentials } from '../features/demo/credentials.ts';
import { createShopMerchant, ShopError } from '../features/shop/merchant.ts';
import { shopPage, shopProduct } from '../hosted/shop-page.ts';

export interface ShopOptions {
  readonly credentials: Credentials;
  /** Where this process serves the interface, as its own machine reaches it. */
  readonly interface_url: string;
  readonly pay_url: string;
}

const asset = (name: string): string =>
  readFileSync(new URL(`../hosted/assets/${name}`, import.meta.url), 'utf8');

/** The demo shop: one page and, behind it, a merchant's server in miniature. */
export function registerShop(fastify: FastifyInstance, options: ShopOptions): void {
  const { credentials, interface_url, pay_url } = options;
  const merchant = createShopMerchant(interface_url, credentials.sandbox);
  const page = shopPage(`${pay_url}/v1/florin.js`);
  const [script, style] = [asset('shop.js'), asset('shop.css')];

  fastify.get('/shop', (_request, reply) =>
    reply.status(page.status).headers(page.headers).send(page.html),
  );
  fastify.get('/shop/shop.js', (_request, reply) => reply.type('text/javascript').send(script));
  fastify.get('/shop/shop.css', (_request, reply) => reply.type('text/css').send(style));
  fastify.post('/shop/orders', (_request, reply) =>
    answer(reply, async () => ({
      payment_id: await merchant.order(shopProduct),
      publishable_key: merchant.publishable_key,
    })),
  );
  fastify.post<{ Params: { id: string } }>('/shop/orders/:id/pay', (request, reply) =>
    answer(reply, async () => {
      await merchant.pay(request.params.id);
      return { paid: 'pending' };
    }),
  );
}

async function answer(reply: FastifyReply, work: () => Promise<object>): Promise<FastifyReply> {
  try {
    return reply.send(await work());
  } catch (error) {
    if (!(error instanceof ShopError)) throw error;
    return reply.status(422).send({ message: error.message });
  }
}
