import { readFileSync } from 'node:fs';
import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sharedStyle } from '../../../http/pages/shared-style.ts';
import type { Signer } from '../../../platform/crypto/signer.ts';
import { createQuota, type QuotaPolicy } from '../../../platform/rates/quota.ts';
import type { Credentials } from '../credentials.ts';
import { HOOK_PATH } from '../orders.ts';
import { createShopMerchant } from './merchant.ts';
import { renderShopPage, shopProductIn } from './page.ts';
import { ShopError } from './program.ts';

export interface ShopOptions {
  readonly credentials: Credentials;
  /** URL of this process's interface on its own host. */
  readonly interface_url: string;
  readonly pay_url: string;
  /** Signs the ids of the shop's payments. The shop confirms only signed ids. */
  readonly signer: Signer;
  readonly monotonic_ms: () => number;
}

/** Quota of orders of all customers together. */
export const ORDERS: QuotaPolicy = { requests: 60, seconds: 60 };

/** Address of the shop in another currency: `?currency=EUR`. */
interface InCurrency {
  readonly Querystring: { readonly currency?: unknown };
}

const assetPath = (name: string): string =>
  readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');

/** Registers the demo shop: one page and a merchant's small server. */
export function registerShop(fastify: FastifyInstance, options: ShopOptions): void {
  const { credentials, interface_url, pay_url, signer, monotonic_ms } = options;
  const merchant = createShopMerchant(interface_url, credentials.sandbox);
  const orders = createQuota({ ...ORDERS, monotonic_ms });
  const [script, style] = [assetPath('shop.js'), sharedStyle('shop.css')];

  fastify.get<InCurrency>('/shop', ({ query }, reply) => {
    const page = renderShopPage(`${pay_url}/v1/florin.js`, shopProductIn(query.currency));
    return reply.status(page.status).headers(page.headers).send(page.html);
  });
  fastify.post(HOOK_PATH, (_request, reply) => reply.status(204).send());
  fastify.get('/shop/shop.js', (_request, reply) => reply.type('text/javascript').send(script));
  fastify.get('/shop/shop.css', (_request, reply) => reply.type('text/css').send(style));
  fastify.post<InCurrency>('/shop/orders', { onRequest: refuseOtherSites }, ({ query }, reply) => {
    if (!orders.take('all').granted) return reply.status(429).send(busyAnswer);
    return sendResult(reply, async () => {
      const payment_id = await merchant.order(shopProductIn(query.currency));
      return {
        payment_id,
        signature: signer.sign(payment_id),
        publishable_key: merchant.publishable_key,
      };
    });
  });
  fastify.post<{ Params: { id: string }; Querystring: { signature?: unknown } }>(
    '/shop/orders/:id/pay',
    { onRequest: refuseOtherSites },
    ({ params, query }, reply) =>
      sendResult(reply, async () => {
        if (!signer.isSignatureOf(params.id, String(query.signature))) {
          throw new ShopError('The demo shop has no such order.');
        }
        await merchant.pay(params.id);
        return { paid: 'pending' };
      }),
  );
}

const busyAnswer = { message: 'The shop is busy. Try again in a minute.' };

/**
 * Refuses requests from other sites. Browsers send a request's origin; only the shop's own page may
 * order.
 */
async function refuseOtherSites({ headers }: FastifyRequest): Promise<void> {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  const isOwnOrigin =
    origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
  if (isOwnOrigin && site === 'same-origin') return;
  throw problem('forbidden', 'Orders are accepted only from the page of the demo shop.');
}

async function sendResult(reply: FastifyReply, work: () => Promise<object>): Promise<FastifyReply> {
  try {
    return reply.send(await work());
  } catch (error) {
    if (!(error instanceof ShopError)) throw error;
    return reply.status(422).send({ message: error.message });
  }
}
