import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type AuthorisationAnswer, networkPaths } from '@florin/contract/protocol/network.ts';
import { afterEach, expect, test } from 'vitest';
import { createSimulator } from '../src/app.ts';
import { type Client, clientOf, freshDir, newAuthorisation, refundRequest } from './client.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

type Message =
  | { readonly type: 'ready'; readonly url: string }
  | { readonly type: 'failed'; readonly message: string };

async function start(
  env: Record<string, string>,
): Promise<{ child: ChildProcess; message: Message }> {
  const child = fork(MAIN, {
    env: { ...process.env, ...env },
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  started.push(child);
  const [message] = await once(child, 'message');
  return { child, message };
}

async function startReady(dataDir: string): Promise<{ child: ChildProcess; client: Client }> {
  const { child, message } = await start({ SIMULATOR_DATA: dataDir });
  if (message.type !== 'ready') throw new Error(message.message);
  return { child, client: clientOf(message.url) };
}

test('the ledger survives a restart', async () => {
  const dataDir = freshDir();
  const request = newAuthorisation();
  const first = await createSimulator({ dataDir, port: 0 });
  const answer = await clientOf(first.url).authorise(request);
  const refund = refundRequest();
  const refunded = await clientOf(first.url).refund(request.reference, refund);
  await first[Symbol.asyncDispose]();
  await using second = await createSimulator({ dataDir, port: 0 });
  expect(await clientOf(second.url).authorise(request)).toEqual(answer);
  expect(await clientOf(second.url).refund(request.reference, refund)).toEqual(refunded);
  expect(await clientOf(second.url).books()).toMatchObject({
    authorisations: 1,
    approved: 1,
    repeats: 1,
  });
});

test('the ledger keeps its identity across a restart', async () => {
  const [one, two] = [freshDir(), freshDir()];
  const identityIn = async (dataDir: string): Promise<unknown> => {
    await using simulator = await createSimulator({ dataDir, port: 0 });
    return (await clientOf(simulator.url).raw('GET', networkPaths.identity)).json();
  };
  const first = await identityIn(one);
  expect(first).toEqual({ identity: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(await identityIn(one)).toEqual(first);
  expect(await identityIn(two)).not.toEqual(first);
});

test('SIMULATOR_HOST makes it listen for other machines', async () => {
  const { message } = await start({ SIMULATOR_DATA: freshDir(), SIMULATOR_HOST: '0.0.0.0' });
  if (message.type !== 'ready') throw new Error(message.message);
  const { hostname, port } = new URL(message.url);
  expect(hostname).toBe('127.0.0.1');
  const elsewhere = await fetch(`http://127.0.0.2:${port}${networkPaths.health}`);
  expect(elsewhere.status).toBe(200);
});

test('every answer given before a kill is stored', async () => {
  const dataDir = freshDir();
  const { child, client } = await startReady(dataDir);
  const requests = Array.from({ length: 400 }, () => newAuthorisation());
  const answers = new Map<string, AuthorisationAnswer>();
  const sent = requests.map(async (request, i) => {
    await client.authorise(request).then(
      (answer) => answers.set(request.reference, answer),
      () => undefined,
    );
    if (i === 100) child.kill('SIGKILL');
  });
  await Promise.all(sent);
  expect(answers.size).toBeGreaterThan(0);

  const again = await startReady(dataDir);
  for (const [reference, answer] of answers)
    expect(await again.client.inquire(reference)).toEqual(answer);
  await Promise.all(requests.map((request) => again.client.authorise(request)));
  expect(await again.client.books()).toMatchObject({ authorisations: 400, approved: 400 });
}, 20_000);

test('SIGTERM answers active requests and exits cleanly', async () => {
  const { child, client } = await startReady(freshDir());
  const [answer, [code]] = await Promise.all([
    client.authorise(newAuthorisation()),
    once(child, 'exit'),
    client.books().then(() => child.kill('SIGTERM')),
  ]);
  expect(answer.result).toBe('approved');
  expect(code).toBe(0);
});

test('the process ends with its parent', async () => {
  const { child } = await startReady(freshDir());
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test.each([
  ['its folder is in use', (dataDir: string) => ({ SIMULATOR_DATA: dataDir }), /in use by another/],
  [
    'its port is taken',
    (_: string, port: string) => ({ SIMULATOR_DATA: freshDir(), SIMULATOR_PORT: port }),
    /is taken/,
  ],
  [
    'its port is not a port',
    () => ({ SIMULATOR_DATA: freshDir(), SIMULATOR_PORT: 'x' }),
    /SIMULATOR_PORT must be/,
  ],
])('a failed start has its reason: %s', async (_, env, reason) => {
  const dataDir = freshDir();
  await using running = await createSimulator({ dataDir, port: 0 });
  const { child, message } = await start(env(dataDir, new URL(running.url).port));
  expect(message).toMatchObject({ type: 'failed', message: expect.stringMatching(reason) });
  expect(await once(child, 'exit')).toEqual([1, null]);
});
