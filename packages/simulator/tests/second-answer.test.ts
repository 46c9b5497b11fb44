import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { networkPaths } from '@florin/contract/protocol/network.ts';
import { afterAll, expect, it } from 'vitest';
import { createSimulator } from '../src/app.ts';
import { freshDir, newAuthorisation } from './client.ts';

const simulator = await createSimulator({
  dataDir: freshDir(),
  port: 0,
  faults: ({ amount }) => (amount === 1 ? 'duplicate' : undefined),
});
const connection = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(async () => {
  connection.destroy();
  await simulator[Symbol.asyncDispose]();
});

/** Reference in the response to a message, sent on the single connection. */
const answeredTo = (message: { reference: string }): Promise<string> =>
  new Promise((resolve, reject) => {
    const url = simulator.url + networkPaths.authorisations;
    const sent = request(url, { method: 'POST', agent: connection }, (response) => {
      text(response).then((body) => resolve(JSON.parse(body).reference), reject);
    });
    sent.on('error', reject).end(JSON.stringify(message));
  });

it('a duplicate answer is stored once, and the next message on its connection gets the copy first', async () => {
  const [first, next] = [newAuthorisation({ amount: 1 }), newAuthorisation()];
  expect(await answeredTo(first)).toBe(first.reference);
  expect(await answeredTo(next)).toBe(first.reference);
  const books = await (await fetch(simulator.url + networkPaths.books)).json();
  expect(books).toMatchObject({ repeats: 1 });
});
