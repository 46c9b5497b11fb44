import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type AuthorisationAnswer, networkPaths } from '@florin/contract/protocol/network.ts';
import { afterEach, expect, test } from 'vitest';
import { createSimulator } from '../src/app.ts';
import {
  type Client,
  createAuthorisationRequest,
  createClient,
  createDataDir,
  createRefundRequest,
} from './client.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

type Message =
  | { readonly type: 'ready'; readonly url: string }
  | { readonly type: 'failed'; readonly message: string };

async function startProcess(
  env: Record<string, string>,
): Promise<{ child: ChildProcess; message: Message }> {
  const child = fork(MAIN, {
    env: { ...process.env, ...env },
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  children.push(child);
  const [message] = await once(child, 'message');
  return { child, message };
}

async function startReady(dataDir: string): Promise<{ child: ChildProcess; client: Client }> {
  const { child, message } = await startProcess({ SIMULATOR_DATA: dataDir });
  if (message.type !== 'ready') throw new Error(message.message);
  return { child, client: createClient(message.url) };
}

test('the ledger survives a restart', async () => {
  const dataDir = createDataDir();
  const request = createAuthorisationRequest();
  const firstSimulator = await createSimulator({ dataDir, port: 0 });
  const answer = await createClient(firstSimulator.url).authorise(request);
  const refund = createRefundRequest();
  const refundAnswer = await createClient(firstSimulator.url).refund(request.reference, refund);
  await firstSimulator[Symbol.asyncDispose]();
  await using secondSimulator = await createSimulator({ dataDir, port: 0 });
  expect(await createClient(secondSimulator.url).authorise(request)).toEqual(answer);
  expect(await createClient(secondSimulator.url).refund(request.reference, refund)).toEqual(
    refundAnswer,
  );
  expect(await createClient(secondSimulator.url).readCounts()).toMatchObject({
    authorisations: 1,
    approved: 1,
    repeats: 1,
  });
});

test('the ledger keeps its identity across a restart', async () => {
  const [firstDir, secondDir] = [createDataDir(), createDataDir()];
  const readIdentity = async (dataDir: string): Promise<unknown> => {
    await using simulator = await createSimulator({ dataDir, port: 0 });
    return (await createClient(simulator.url).sendRaw('GET', networkPaths.identity)).json();
  };
  const identity = await readIdentity(firstDir);
  expect(identity).toEqual({ identity: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(await readIdentity(firstDir)).toEqual(identity);
  expect(await readIdentity(secondDir)).not.toEqual(identity);
});

test('SIMULATOR_HOST makes it listen for other machines', async () => {
  const { message } = await startProcess({
    SIMULATOR_DATA: createDataDir(),
    SIMULATOR_HOST: '0.0.0.0',
  });
  if (message.type !== 'ready') throw new Error(message.message);
  const { hostname, port } = new URL(message.url);
  expect(hostname).toBe('127.0.0.1');
  const response = await fetch(`http://127.0.0.2:${port}${networkPaths.health}`);
  expect(response.status).toBe(200);
});

test('every answer given before a kill is stored', async () => {
  const dataDir = createDataDir();
  const { child, client } = await startReady(dataDir);
  const requests = Array.from({ length: 400 }, () => createAuthorisationRequest());
  const answers = new Map<string, AuthorisationAnswer>();
  const authorisations = requests.map(async (request, i) => {
    await client.authorise(request).then(
      (answer) => answers.set(request.reference, answer),
      () => undefined,
    );
    if (i === 100) child.kill('SIGKILL');
  });
  await Promise.all(authorisations);
  expect(answers.size).toBeGreaterThan(0);

  const restarted = await startReady(dataDir);
  for (const { reference, amount, currency } of requests) {
    const answer = answers.get(reference);
    if (answer)
      expect(await restarted.client.inquire(reference)).toEqual({ ...answer, amount, currency });
  }
  await Promise.all(requests.map((request) => restarted.client.authorise(request)));
  expect(await restarted.client.readCounts()).toMatchObject({ authorisations: 400, approved: 400 });
}, 240_000);

test('SIGTERM answers active requests and exits cleanly', async () => {
  const { child, client } = await startReady(createDataDir());
  const [answer, [code]] = await Promise.all([
    client.authorise(createAuthorisationRequest()),
    once(child, 'exit'),
    client.readCounts().then(() => child.kill('SIGTERM')),
  ]);
  expect(answer.result).toBe('approved');
  expect(code).toBe(0);
});

test('the process ends with its parent', async () => {
  const { child } = await startReady(createDataDir());
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test.each([
  ['its folder is in use', (dataDir: string) => ({ SIMULATOR_DATA: dataDir }), /in use by another/],
  [
    'its port is taken',
    (_: string, port: string) => ({ SIMULATOR_DATA: createDataDir(), SIMULATOR_PORT: port }),
    /is in use/,
  ],
  [
    'its port is not a port',
    () => ({ SIMULATOR_DATA: createDataDir(), SIMULATOR_PORT: 'x' }),
    /SIMULATOR_PORT must be/,
  ],
])('a failed start has its reason: %s', async (_, env, reason) => {
  const dataDir = createDataDir();
  await using simulator = await createSimulator({ dataDir, port: 0 });
  const { child, message } = await startProcess(env(dataDir, new URL(simulator.url).port));
  expect(message).toMatchObject({ type: 'failed', message: expect.stringMatching(reason) });
  expect(await once(child, 'exit')).toEqual([1, null]);
});
