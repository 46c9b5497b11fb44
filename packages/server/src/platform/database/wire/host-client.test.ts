import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { databaseFaultOf, isConnectionError } from '@florin/contract/database/fault.ts';
import { createHosts, StandbyError, tryHosts } from '@florin/contract/database/hosts.ts';
import { type EmptyDatabase, emptyDatabase } from '@florin/dev-env/databases.ts';
import { startSilentDatabase } from '@florin/dev-env/silent-database.ts';
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

  it('is reached through another host after one fell silent, although that one still connects', async () => {
    await using silent = await startSilentDatabase(empty.url);
    const limits = { statement_timeout_ms: 100, silence_margin_ms: 100 };
    const url = addressWith([new URL(silent.url).host]);
    await using db = openDatabase({ url, connections_max: 1, ...limits });
    expect(await readOne(db)).toBe('1');
    silent.silence();
    await expect(db.query('create table x ()', [])).rejects.toThrow('did not answer');
    expect(await readOne(db)).toBe('1');
    silent.silence();
    await db.query('create table y ()', []);
    expect(silent.queriedConnections()).toBe(1);
  });

  it('is left by all pools of the process when a statement of one gets no answer', async () => {
    await using silent = await startSilentDatabase(empty.url);
    const limits = { statement_timeout_ms: 100, silence_margin_ms: 100 };
    const url = addressWith([new URL(silent.url).host]);
    await using writes = openDatabase({ url, connections_max: 1, ...limits });
    await using reads = openDatabase({ url, connections_max: 1, ...limits });
    expect([await readOne(writes), await readOne(reads)]).toEqual(['1', '1']);
    silent.silence();
    await expect(writes.query('create table z ()', [])).rejects.toThrow('did not answer');
    expect(await readOne(reads)).toBe('1');
    expect(silent.queriedConnections()).toBe(1);
  });

  it('is not reached through a host that accepts no writes', async () => {
    await using admin = open(empty.url, 1);
    const name = new URL(empty.url).pathname.slice(1);
    await admin.query(`alter database "${name}" set default_transaction_read_only = on`, []);
    try {
      await using db = open(addressWith(['127.0.0.1:2']));
      await expect(readOne(db)).rejects.toThrow('the host is a standby');
    } finally {
      await admin.query(
        `set default_transaction_read_only = off; alter database "${name}" reset all`,
        [],
      );
    }
  });
});

/** PostgreSQL's messages `AuthenticationOk` and `ReadyForQuery`. */
const GREETING = 'R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I';
/** The fatal error of a shutdown. */
const SHUTDOWN = 'E\0\0\0\x1aSFATAL\0C57P01\0Mstopped\0\0';

/** A server of one host that answers the first message of each client with `bytes`. */
async function startGreeter(bytes: string): Promise<AsyncDisposable & { readonly url: string }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', () => socket.write(Buffer.from(bytes, 'latin1')));
    if (bytes.endsWith(SHUTDOWN)) socket.once('data', () => socket.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://u@127.0.0.1:${port}/f?sslmode=disable`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

it('a connection that breaks right after its start fails a statement, and not the process', async () => {
  await using greeter = await startGreeter(GREETING + SHUTDOWN);
  await using db = open(greeter.url);
  await expect(readOne(db)).rejects.toThrow('not queryable');
});

describe('a standby to which a balancer leads', () => {
  const STANDBY = `S\0\0\0\x16in_hot_standby\0on\0${GREETING}`;

  it('is refused before a statement is sent', async () => {
    await using greeter = await startGreeter(STANDBY);
    await using db = open(greeter.url);
    const error = await readOne(db).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(StandbyError);
    expect([databaseFaultOf(error), isConnectionError(error)]).toEqual(['read_only', false]);
  });

  it('is unknown behind PgBouncer, which repeats an old greeting', async () => {
    await using greeter = await startGreeter(`${STANDBY}${SHUTDOWN}`);
    await using db = open(`${greeter.url}&pgbouncer=true`);
    await expect(readOne(db)).rejects.toThrow('not queryable');
  });
});

describe('the choice of a host', () => {
  it.each([
    ['a host is away', 'connect ECONNREFUSED', 'ECONNREFUSED', 3],
    ['a standby lags behind a new database', 'no such database', '3D000', 3],
    ['a standby lags behind a new password', 'password refused', '28P01', 3],
    ['a statement is wrong', 'syntax error', '42601', 1],
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
