import { verify, WebhookError } from '@florin/webhooks';
import fastify from 'fastify';
import { handle } from './shop.ts';

export function createApp(secret: string) {
  const app = fastify();
  app.register(async (webhooks) => {
    // Raw bytes whatever the content type, in this plugin only: other routes still parse JSON.
    const parse = { parseAs: 'buffer' } as const;
    webhooks.removeAllContentTypeParsers();
    webhooks.addContentTypeParser('*', parse, async (_: unknown, body: Buffer) => body);
    webhooks.post<{ Body: Buffer }>('/webhooks', async (request, reply) => {
      handle(await verify(request.body, request.headers, secret));
      return reply.code(204).send();
    });
    webhooks.setErrorHandler((error, _, reply) => {
      if (!(error instanceof WebhookError)) throw error;
      console.error(`${error.code}: ${error.message}`);
      return reply.code(422).send();
    });
  });
  return app;
}
