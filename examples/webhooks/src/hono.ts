import { verify, WebhookError } from '@florin/webhooks';
import { Hono } from 'hono';
import { handle } from './shop.ts';

export function createApp(secret: string) {
  const app = new Hono();
  app.post('/webhooks', async (c) => {
    handle(await verify(await c.req.arrayBuffer(), c.req.raw.headers, secret));
    return c.body(null, 204);
  });
  app.onError((error, c) => {
    if (!(error instanceof WebhookError)) throw error;
    console.error(`${error.code}: ${error.message}`);
    return c.body(null, 422);
  });
  return app;
}
