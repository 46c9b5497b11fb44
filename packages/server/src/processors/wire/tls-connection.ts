import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { vaultPaths } from '@florin/contract/protocol/vault.ts';
import type { TlsIdentity } from '@florin/contract/tls/identity.ts';

/** Maximum time for the handshake and the vault's first answer. */
export const CONNECT_TIMEOUT_MS = 3_000;
const HELLO_BYTES_MAX = 4_096;
const HEADERS_END = '\r\n\r\n';

/** The vault closed the connection, or answered without accepting it. */
class RefusedByVaultError extends Error {
  override name = 'RefusedByVaultError';
}

/**
 * Opens a connection to a vault on another host, with TLS 1.3. Resolves once the vault has accepted this server's
 * certificate. A refusal in TLS 1.3 comes after the handshake, when a message would already be in flight.
 */
export async function openTlsConnection(
  { host, port }: { readonly host: string; readonly port: number },
  { cert, key, ca }: TlsIdentity,
): Promise<TLSSocket> {
  const socket = connect({
    host,
    port,
    cert,
    key,
    ca,
    // The certificate is compared with `host`; an IP address is no name for the handshake.
    servername: isIP(host) ? '' : host,
    minVersion: 'TLSv1.3',
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
  });
  const timer = setTimeout(
    () => socket.destroy(Object.assign(new Error('The vault is silent.'), { code: 'ETIMEDOUT' })),
    CONNECT_TIMEOUT_MS,
  );
  try {
    await secured(socket);
    socket.write(`GET ${vaultPaths.hello} HTTP/1.1\r\nhost: vault\r\n\r\n`);
    requireAcceptance(await readHeaders(socket));
    socket.setNoDelay(true).setKeepAlive(true);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function secured(socket: TLSSocket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket
    .once('secureConnect', resolve)
    .once('error', reject)
    .once('close', () => reject(closed()));
  return promise;
}

const closed = (): Error => new RefusedByVaultError('The vault closed the connection.');

/** Reads the headers of an answer without a body. */
function readHeaders(socket: TLSSocket): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  function read(): void {
    const chunk = socket.read() as Buffer | null;
    text += chunk?.toString('latin1') ?? '';
    if (text.endsWith(HEADERS_END)) resolve(text);
    else if (text.length > HELLO_BYTES_MAX) reject(closed());
  }
  socket
    .on('readable', read)
    .once('error', reject)
    .once('close', () => reject(closed()));
  return promise.finally(() => socket.removeListener('readable', read));
}

function requireAcceptance(headers: string): void {
  const isAccepted =
    headers.startsWith('HTTP/1.1 204 ') && !/\r\nconnection: close\r\n/i.test(headers);
  if (!isAccepted) throw closed();
}
