import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSimulator, type Simulator } from '../../src/app.ts';
import { createDataDir } from '../client.ts';

let simulator: Simulator;
const dataDir = createDataDir();
const open = async (doorPorts: Readonly<Record<string, number>>) => {
  simulator = await createSimulator({ dataDir, port: 0, doorPorts });
};
beforeAll(() => open({}));
afterAll(() => simulator[Symbol.asyncDispose]());

const doorOf = (prefix: string): string => simulator.doors[prefix] ?? '';
const control = (prefix: string, body?: object) =>
  fetch(`${simulator.url}${prefix}/control/door`, {
    method: body ? 'POST' : 'GET',
    ...(body && { body: JSON.stringify(body) }),
  });
const refuse = async (refuse_ms: number) =>
  expect((await control('/adyen', { refuse_ms })).status).toBe(204);
/** Status of a request without a key at the own address of a stand-in; `refused` without a connection. */
const statusAt = (prefix: string, path = '/v72/payments') =>
  fetch(doorOf(prefix) + prefix + path, { method: 'POST', body: '{}' }).then(
    ({ status }) => status,
    ({ cause }: { readonly cause: NodeJS.ErrnoException }) => cause.code,
  );

it('a stand-in has an address of its own, where the others are not', async () => {
  const doors = Object.keys(simulator.doors).sort();
  expect(doors).toEqual(['/adyen', '/checkout-com', '/worldpay-cnp']);
  expect(new Set([...Object.values(simulator.doors), simulator.url]).size).toBe(4);
  expect(await (await control('/adyen')).json()).toEqual({ url: doorOf('/adyen') });
  expect(await statusAt('/adyen')).toBe(401);
  const other = await fetch(`${doorOf('/adyen')}/checkout-com/payments`, { method: 'POST' });
  expect(other.status).toBe(404);
});

it('one refuses connections for a while, and the others do not', async () => {
  await refuse(60_000);
  await expect.poll(() => statusAt('/adyen')).toBe('ECONNREFUSED');
  expect(await statusAt('/checkout-com')).toBe(401);
  await refuse(0);
  expect(await statusAt('/adyen')).toBe(401);
  await refuse(50);
  await expect.poll(() => statusAt('/adyen')).toBe('ECONNREFUSED');
  await expect.poll(() => statusAt('/adyen')).toBe(401);
});

it.each([{}, { refuse_ms: -1 }])('a duration that is none is refused: %j', async (body) => {
  expect((await control('/adyen', body)).status).toBe(400);
});

it('the address stays the same after a restart, and another port is taken instead of a used one', async () => {
  const before = simulator.doors;
  const ports = Object.fromEntries(
    Object.entries(before).map(([prefix, url]) => [prefix, Number(new URL(url).port)]),
  );
  await simulator[Symbol.asyncDispose]();
  await open(ports);
  expect(simulator.doors).toEqual(before);
  const other = await createSimulator({
    dataDir: createDataDir(),
    port: 0,
    doorPorts: { '/adyen': ports['/adyen'] ?? 0 },
  });
  expect(other.doors['/adyen']).not.toBe(before['/adyen']);
  await other[Symbol.asyncDispose]();
});

it('a simulator for other machines has none', async () => {
  const shared = await createSimulator({ dataDir: createDataDir(), port: 0 });
  expect(shared.doors).toEqual({});
  expect((await fetch(`${shared.url}/adyen/control/door`)).status).toBe(404);
  await shared[Symbol.asyncDispose]();
});
