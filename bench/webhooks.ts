import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { World } from './world.ts';

const WAIT_MS_MAX = 120_000;

/** Deliveries a second to one fast local receiver, from the first that arrives to the last of `events` events. */
export async function deliveryRate(
  world: World,
  events: number,
  create: () => Promise<unknown>,
): Promise<number> {
  const times: number[] = [];
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      times.push(performance.now());
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const subscription = await world.post('webhook_subscriptions', {
    url: `http://127.0.0.1:${port}/`,
    description: 'bench receiver',
    concurrency_limit: 100,
    events: ['consumer.customers.created'],
  });
  await create();
  const end = performance.now() + WAIT_MS_MAX;
  while (times.length < events && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  receiver.closeAllConnections();
  receiver.close();
  await archive(world, subscription.id);
  if (times.length < events)
    throw new Error(`only ${times.length} of ${events} deliveries arrived`);
  const [first = 0] = times;
  return (times.length / ((times.at(-1) as number) - first)) * 1000;
}

async function archive({ florin, headers }: World, id: string): Promise<void> {
  const body = JSON.stringify({
    data: { type: 'webhook_subscriptions', id, attributes: { status: 'archived' } },
  });
  await fetch(`${florin.baseUrl}/v2/webhook_subscriptions/${id}`, {
    method: 'PATCH',
    headers,
    body,
  });
}
