import { connect as connectPlain, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { Micros } from '../time/clock.ts';

/** A server whose certificate is read: an https or postgres address. */
export interface CertificateOwner {
  readonly name: string;
  readonly url: string;
}

const TIMEOUT_MS = 5_000;
const HTTPS_PORT = 443;
const POSTGRES_PORT = 5_432;
/** PostgreSQL's request for TLS, which it answers with `S`. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const MICROS = 1_000;

/** Reads when the certificate of a server expires. Nothing is sent over the connection, so it need not be valid. */
export async function readExpiry({ url }: CertificateOwner): Promise<Micros> {
  const { protocol, hostname: host, port } = new URL(url);
  const isDatabase = protocol.startsWith('postgres');
  const address = { host, port: Number(port || (isDatabase ? POSTGRES_PORT : HTTPS_PORT)) };
  const socket = isDatabase ? await requestTls(address) : undefined;
  const secure = connect({
    ...(socket ? { socket } : address),
    servername: host,
    rejectUnauthorized: false,
    timeout: TIMEOUT_MS,
  });
  try {
    await once(secure, 'secureConnect');
    return Date.parse(secure.getPeerCertificate().valid_to) * MICROS;
  } finally {
    secure.destroy();
  }
}

async function requestTls(address: { host: string; port: number }): Promise<Socket> {
  const socket = connectPlain({ ...address, timeout: TIMEOUT_MS });
  await once(socket, 'connect');
  socket.write(SSL_REQUEST);
  await once(socket, 'data');
  return socket;
}

const once = (socket: Socket | TLSSocket, event: string): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once(event, () => resolve());
    socket.once('error', reject);
    socket.once('timeout', () => reject(new Error('no answer')));
  });
