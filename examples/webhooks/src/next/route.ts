// app/webhooks/route.ts of a Next application, for both Node and the edge runtime.
import { verify, WebhookError } from '@florin/webhooks';
import { handle } from '../shop.ts';

export async function POST(request: Request): Promise<Response> {
  try {
    handle(await verify(await request.arrayBuffer(), request.headers, process.env.WEBHOOK_SECRET));
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    console.error(`${error.code}: ${error.message}`);
    return new Response(null, { status: 422 });
  }
}
