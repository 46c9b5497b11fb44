import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { startUntrustedDatabase } from '@florin/dev-env/untrusted-database.ts';
import { expect, it } from 'vitest';
import { readExpiry } from './certificate-expiry.ts';

it('reads when the certificate of a database expires, even if nobody trusts it', async () => {
  await using database = await startUntrustedDatabase();
  const expiry = await readExpiry({ name: 'database', url: database.url });
  expect(expiry).toBe(Date.parse('2049-01-01T00:00:00Z') * 1_000);
});

it('fails where nothing listens', async () => {
  const url = 'https://127.0.0.1:1';
  await expect(readExpiry({ name: 'public_url', url })).rejects.toThrow('ECONNREFUSED');
});

/** Address of a database that does `answer` with each connection. */
async function startDatabase(answer: (socket: Socket) => void) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    server,
    owner: {
      name: 'database',
      url: `postgres://127.0.0.1:${(server.address() as AddressInfo).port}/florin`,
    },
  };
}

it('fails where the database hangs up', async () => {
  const { server, owner } = await startDatabase((socket) => socket.resume().end());
  await using _server = server;
  await expect(readExpiry(owner)).rejects.toThrow('closed');
});

it('leaves no connection to a database that does not answer', async () => {
  const closed = Promise.withResolvers<void>();
  const { server, owner } = await startDatabase((socket) =>
    socket.resume().on('close', () => closed.resolve()),
  );
  await using _server = server;
  await expect(readExpiry(owner, 50)).rejects.toThrow('no answer');
  await closed.promise;
});
