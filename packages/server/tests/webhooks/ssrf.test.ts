import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, BlockList, connect, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCheckedLookup } from '../../src/features/webhooks/sending/guard.ts';
import { createSender, type Sender } from '../../src/features/webhooks/sending/send.ts';
import { createSealer, SEAL_KEY_BYTES } from '../../src/platform/crypto/sealer.ts';
import { type NameServer, startNameServer, type Zone } from './name-server.ts';
import { type Reply, startReceiver } from './receiver.ts';

const PUBLIC = '8.8.8.8';

/** Names whose addresses are, or become, those of this machine, its network or its cloud. */
const zone: Zone = {
  'loopback.example': () => ['127.0.0.1'],
  '127.0.0.1.nip.example': () => ['127.0.0.1'],
  '7f000001.nip.example': () => ['127.0.0.1'],
  '10-0-0-1.nip.example': () => ['10.0.0.1'],
  '169-254-169-254.nip.example': () => ['169.254.169.254'],
  'any.example': () => ['0.0.0.0'],
  'six.example': () => ['::1'],
  'six-any.example': () => ['::'],
  'mapped.example': () => ['::ffff:127.0.0.1'],
  'mapped-cloud.example': () => ['::ffff:169.254.169.254'],
  'translated.example': () => ['64:ff9b::7f00:1'],
  'tunnelled.example': () => ['2002:7f00:1::'],
  'local-six.example': () => ['fd00:ec2::254'],
  'link-six.example': () => ['fe80::1'],
  'alias.example': () => ['loopback.example', '127.0.0.1'],
  'alias-of-alias.example': () => ['one.example', 'two.example', '192.168.0.1'],
  'one-of-many.example': () => [PUBLIC, '1.1.1.1', '9.9.9.9', '127.0.0.1'],
  'first-of-many.example': () => ['127.0.0.1', PUBLIC],
  'four-public-six-private.example': () => [PUBLIC, '::1'],
  'six-public-four-private.example': () => ['2606:4700::1111', '127.0.0.1'],
  'azure.example': () => ['168.63.129.16'],
  'carrier.example': () => ['100.64.0.1'],
  'broadcast.example': () => ['255.255.255.255'],
  'multicast.example': () => ['224.0.0.1'],
};

/** Hosts that need no name server, with the port of a local listener. */
const literals = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '0x7f.0x0.0x0.0x1',
  '１２７.0.0.1',
  '①②⑦.0.0.1',
  '127。0。0。1',
  '0',
  '0.0.0.0',
  '0x0',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'shop.localhost',
  '127.255.255.254',
];
const spellings = [
  (port: number) => `https://user:word@127.0.0.1:${port}/`,
  (port: number) => `https://example.com@127.0.0.1:${port}/`,
  (port: number) => `https://127.0.0.1:${port}\\@example.com/`,
  (port: number) => `https:\\\\127.0.0.1:${port}/`,
  (port: number) => `  https://127.0.0.1:${port}/`,
  (port: number) => `https://127.0.0\t.1:${port}/`,
  (port: number) => `http://127.0.0.1:${port}/`,
  (port: number) => `ftp://127.0.0.1:${port}/`,
];

let nameServer: NameServer;
let sender: Sender;
let port: number;
let connectionCount = 0;
const listener = createServer((socket) => {
  connectionCount++;
  socket.destroy();
});

beforeAll(async () => {
  nameServer = await startNameServer(zone);
  const lookup = createCheckedLookup('live', nameServer.resolve);
  sender = createSender(createSealer([randomBytes(SEAL_KEY_BYTES)]), { lookup, timeout_ms: 2_000 });
  listener.listen(0, '0.0.0.0');
  await once(listener, 'listening');
  port = (listener.address() as AddressInfo).port;
});
afterAll(async () => {
  await sender?.[Symbol.asyncDispose]();
  await nameServer?.[Symbol.asyncDispose]();
  listener.close();
});

const send = (url: string, mode = 'live') =>
  sender.send(
    {
      delivery: {},
      event: { id: 'e', merchant_id: 'm', mode, created_at: '2026-11-21T00:00:00Z', data: '{}' },
      subscription: { merchant_id: 'm', id: 's', mode, url, secret_key: 'secret' },
    },
    0,
  );

describe('a live delivery opens no connection to', () => {
  const hosts = [...literals, ...Object.keys(zone)];
  it.each(hosts)('https://%s', async (host) => {
    expect(await send(`https://${host}:${port}/hook`)).toEqual({ error: 'address_refused' });
    expect(connectionCount).toBe(0);
  });

  it.each(spellings.map((spelling) => spelling(1)))('%s', async (url) => {
    expect(await send(url.replace(':1/', `:${port}/`).replace(':1\\', `:${port}\\`))).toEqual({
      error: 'address_refused',
    });
    expect(connectionCount).toBe(0);
  });

  it('all of these names and addresses', () => {
    console.log(`${hosts.length + spellings.length} addresses were refused before a packet left`);
    expect(hosts.length + spellings.length).toBeGreaterThanOrEqual(60);
  });
});

describe('a name with another address at each lookup', () => {
  /** Connects, and returns the error code. No packet leaves: the public address is blocked. */
  const tryToConnect = async (resolve: NameServer['resolve']): Promise<string> => {
    const blockList = new BlockList();
    blockList.addAddress(PUBLIC);
    const lookup = createCheckedLookup('live', resolve);
    const socket = connect({ host: 'rebinding.example', port, lookup, blockList, family: 4 });
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    return error.code ?? error.name;
  };

  it('is connected to at the checked address, or not at all', async () => {
    await using rebindingServer = await startNameServer({
      'rebinding.example': (nth) => [nth === 0 ? PUBLIC : '127.0.0.1'],
    });
    expect(await tryToConnect(rebindingServer.resolve)).toBe('ERR_IP_BLOCKED');
    expect(rebindingServer.countQueries('rebinding.example')).toBe(2);
    expect(await tryToConnect(rebindingServer.resolve)).toBe('address_refused');
    expect(connectionCount).toBe(0);
  });
});

it('names whose name server never responds delay no others', async () => {
  await using server = await startNameServer({
    'silent.example': () => undefined,
    'quick.example': () => [PUBLIC, '2606:4700::1111'],
  });
  const lookup = createCheckedLookup('live', server.resolve);
  let failureCount = 0;
  for (let count = 0; count < 20; count++) {
    lookup('silent.example', { all: true }, () => failureCount++);
  }
  const addresses = await new Promise((resolve) =>
    lookup('quick.example', { all: true }, (_error, records) => resolve(records)),
  );
  expect(addresses).toEqual([
    { address: PUBLIC, family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ]);
  expect(failureCount).toBe(0);
});

describe('a redirect to this machine', () => {
  it.each([301, 302, 303, 307, 308])('with %i is a response, and not followed', async (status) => {
    const reply: Reply = (_nth, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${port}/secret` }).end();
      return undefined;
    };
    await using receiver = await startReceiver({ '/hook': reply });
    expect(await send(`${receiver.origin}/hook`, 'sandbox')).toMatchObject({ status });
    expect(receiver.requests).toHaveLength(1);
    expect(connectionCount).toBe(0);
  });
});

it('a sandbox delivery reaches this machine, which proves that the listener counts connections', async () => {
  await send(`http://127.0.0.1:${port}/hook`, 'sandbox');
  expect(connectionCount).toBe(1);
});
