import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createHosts, tryHosts } from '@florin/contract/database/hosts.ts';
import { type EmptyDatabase, emptyDatabase } from '@florin/dev-env/databases.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../db.ts';

const cleanup = new AsyncDisposableStack();
let empty: EmptyDatabase;
beforeAll(async () => {
  empty = cleanup.use(await emptyDatabase());
});
afterAll(() => cleanup.disposeAsync());

/** Address of the test's PostgreSQL, with hosts before its own. */
function addressWith(hosts: readonly string[]): string {
  const url = new URL(empty.url);
  const { searchParams } = url;
  const socket = searchParams.get('host');
  const own = socket ? `${encodeURIComponent(socket)}:${searchParams.get('port')}` : url.host;
  return `postgres://${url.username}:${url.password}@${[...hosts, own].join(',')}${url.pathname}`;
}

const open = (url: string, connections_max = 4): Database => openDatabase({ url, connections_max });
const readOne = async (db: Database) => (await db.query('select 1 as one', []))[0]?.one;

describe('a database of several hosts', () => {
  it('is reached although the first host refuses connections', async () => {
    await using db = open(addressWith(['127.0.0.1:1']));
    const answers = await Promise.all(Array.from({ length: 8 }, () => readOne(db)));
    expect(answers).toEqual(Array(8).fill('1'));
  });

  it('is reached by transactions after a host has an unknown name', async () => {
    await using db = open(addressWith(['no-such-host.invalid', '127.0.0.1:1']));
    const rows = await db.transaction((tx) => tx.query('select 2 as two', []));
    expect(rows).toEqual([{ two: '2' }]);
  });

  it('is not reached through a host that accepts no writes', async () => {
    await using admin = open(empty.url, 1);
    const name = new URL(empty.url).pathname.slice(1);
    await admin.query(`alter database "${name}" set default_transaction_read_only = on`, []);
    try {
      await using db = open(addressWith(['127.0.0.1:1']));
      await expect(readOne(db)).rejects.toThrow('the host is a standby');
    } finally {
      await admin.query(
        `set default_transaction_read_only = off; alter database "${name}" reset all`,
        [],
      );
    }
  });
});

/** PostgreSQL's messages `AuthenticationOk` and `ReadyForQuery`, and the fatal error of a shutdown. */
const GREETING_AND_SHUTDOWN = Buffer.from(
  'R\0\0\0\x08\0\0\0\0Z\0\0\0\x05IE\0\0\0\x1aSFATAL\0C57P01\0Mstopped\0\0',
  'latin1',
);

it('a connection that breaks right after its start fails a statement, and not the process', async () => {
  const server = createServer((socket) =>
    socket.once('data', () => socket.end(GREETING_AND_SHUTDOWN)).on('error', () => {}),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await using db = open(`postgres://u@127.0.0.1:${port}/f?sslmode=disable`);
  await expect(readOne(db)).rejects.toThrow('not queryable');
  server.close();
});

describe('the choice of a host', () => {
  it.each([
    ['a host is away', 'connect ECONNREFUSED', 'ECONNREFUSED', 3],
    ['the pool has no free connection', 'timeout exceeded when trying to connect', undefined, 1],
  ])('tries all hosts only for a fault of a host: %s', async (_what, message, code, expected) => {
    const error = Object.assign(new Error(message), code && { code });
    let tries = 0;
    const connect = () => {
      tries += 1;
      return Promise.reject(error);
    };
    await expect(tryHosts(createHosts('postgres://u@h1,h2,h3/f'), connect)).rejects.toBe(error);
    expect(tries).toBe(expected);
  });

  it('moves on once for all who found a host away', () => {
    const hosts = createHosts('postgres://u@h1,h2,h3/f');
    const first = hosts.current();
    hosts.leave(first);
    hosts.leave(first);
    expect(hosts.current()).toBe('postgres://u@h2/f');
  });

  it('begins again after the last host', () => {
    const hosts = createHosts('postgres://u@h1,h2/f');
    hosts.leave(hosts.current());
    hosts.leave(hosts.current());
    expect(hosts.current()).toBe('postgres://u@h1/f');
  });
});
