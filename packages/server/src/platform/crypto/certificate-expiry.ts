import { connect as connectPlain, isIP, type Socket, type TcpSocketConnectOpts } from 'node:net';
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
export async function readExpiry({ url }: CertificateOwner, timeout = TIMEOUT_MS): Promise<Micros> {
  const { protocol, hostname: host, port } = new URL(url);
  const isDatabase = protocol.startsWith('postgres');
  const address = { host, port: Number(port || (isDatabase ? POSTGRES_PORT : HTTPS_PORT)) };
  const socket = isDatabase ? await requestTls({ ...address, timeout }) : undefined;
  const secure = connect({
    ...(socket ? { socket } : address),
    ...(isIP(host) === 0 && { servername: host }),
    rejectUnauthorized: false,
    timeout,
  });
  try {
    await once(secure, 'secureConnect');
    return Date.parse(secure.getPeerCertificate().valid_to) * MICROS;
  } finally {
    secure.destroy();
    socket?.destroy();
  }
}

async function requestTls(options: TcpSocketConnectOpts & { timeout: number }): Promise<Socket> {
  const socket = connectPlain(options);
  try {
    await once(socket, 'connect');
    socket.write(SSL_REQUEST);
    await once(socket, 'data');
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

const once = (socket: Socket | TLSSocket, event: string): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once(event, () => resolve());
    socket.once('error', reject);
    socket.once('timeout', () => reject(new Error('no answer')));
    socket.once('close', () => reject(new Error('closed without an answer')));
  });
