import { verify, WebhookError } from '@florin/webhooks';
import express from 'express';
import { handle } from './shop.ts';

export function createApp(secret: string) {
  const app = express();
  // Raw bytes whatever the content type, so this route comes before any express.json().
  app.post('/webhooks', express.raw({ type: () => true }), async (request, response) => {
    try {
      handle(await verify(request.body, request.headers, secret));
      response.sendStatus(204);
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      console.error(`${error.code}: ${error.message}`);
      response.sendStatus(422);
    }
  });
  return app;
}
