import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { certificateOf } from '@florin/simulator/wallets/certificate.ts';
import { addressAt } from './lossy-database.ts';

/** Starts a database with a self-signed certificate. Clients refuse it before they send a statement. */
export async function startUntrustedDatabase(): Promise<AsyncDisposable & { url: string }> {
  const tlsIdentity = createSelfSigned();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    // The first message of a client requests TLS.
    socket.once('data', () => {
      socket.write('S');
      new TLSSocket(socket, { isServer: true, ...tlsIdentity }).on('error', () => {});
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = addressAt('postgresql://florin@localhost/florin', server.address() as AddressInfo);
  return {
    url: `${url}?sslmode=verify-full`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function createSelfSigned(): { readonly key: string; readonly cert: string } {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = { name: 'database', keys };
  const certificateTerms = { subject, issuer: subject, ca: false };
  const [notBefore, notAfter] = [new Date('2020-01-01'), new Date('2049-01-01')];
  return {
    key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: new X509Certificate(
      certificateOf({ ...certificateTerms, notBefore, notAfter }),
    ).toString(),
  };
}
