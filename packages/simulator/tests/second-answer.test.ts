import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { networkPaths } from '@florin/contract/protocol/network.ts';
import { afterAll, expect, it } from 'vitest';
import { createSimulator } from '../src/app.ts';
import { createAuthorisationRequest, createDataDir } from './client.ts';

const simulator = await createSimulator({
  dataDir: createDataDir(),
  port: 0,
  faults: ({ amount }) => (amount === 1 ? 'duplicate' : undefined),
});
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(async () => {
  agent.destroy();
  await simulator[Symbol.asyncDispose]();
});

/** Reference in the response to a message, sent on the single connection. */
const sendForReference = (message: { reference: string }): Promise<string> =>
  new Promise((resolve, reject) => {
    const url = simulator.url + networkPaths.authorisations;
    const clientRequest = request(url, { method: 'POST', agent }, (response) => {
      text(response).then((body) => resolve(JSON.parse(body).reference), reject);
    });
    clientRequest.on('error', reject).end(JSON.stringify(message));
  });

it('a duplicate answer is stored once, and the next message on its connection gets the copy first', async () => {
  const [firstRequest, nextRequest] = [
    createAuthorisationRequest({ amount: 1 }),
    createAuthorisationRequest(),
  ];
  expect(await sendForReference(firstRequest)).toBe(firstRequest.reference);
  expect(await sendForReference(nextRequest)).toBe(firstRequest.reference);
  const counts = await (await fetch(simulator.url + networkPaths.books)).json();
  expect(counts).toMatchObject({ repeats: 1 });
});
