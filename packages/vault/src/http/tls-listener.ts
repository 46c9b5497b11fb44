import { constants } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { VaultTlsHealth } from '@florin/contract/protocol/vault-health.ts';
import type { TlsFiles, TlsIdentity } from '@florin/contract/tls/identity.ts';
import {
  createIdentityHolder,
  type IdentityHolder,
  TLS_RELOAD_MS,
} from '@florin/contract/tls/identity-holder.ts';
import type { Audit } from '../audit/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import { StartupError } from '../kernel/errors.ts';
import { faultOf, type Log } from '../kernel/logger.ts';
import { BACKLOG, type OpenListener, SERVER_OPTIONS } from './server.ts';
import { tlsTools } from './tls-files.ts';
import { createTlsRefusals, refusalOf, type TlsRefusals } from './tls-refusals.ts';

/** Where the vault listens for servers on other hosts, and which it accepts. */
export interface TlsAddress {
  readonly host: string;
  readonly port: number;
  readonly files: TlsFiles;
  /** Names of which a server's certificate must have one. */
  readonly client_names: readonly string[];
}

/** Maximum time of a handshake: callers without a certificate hold connections for no longer. */
const HANDSHAKE_MS = 5_000;

interface TlsDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly audit: Pick<Audit, 'enqueue'>;
  readonly reload_ms?: number | undefined;
}

export interface TlsListener extends Disposable {
  readonly open: OpenListener;
  health(): VaultTlsHealth;
}

/** An accepted connection. */
interface AcceptedPeer {
  /** Certificates of the vault in use when the connection began. */
  readonly identity: TlsIdentity;
  /** End of the peer's certificate, in milliseconds since 1970. */
  readonly expires_at: number;
}

/** A listener with TLS 1.3 for peers with a certificate of the authority and an expected name. Throws `StartupError`. */
export function createTlsListener(address: TlsAddress, deps: TlsDeps): TlsListener {
  const { clock, log, reload_ms = TLS_RELOAD_MS } = deps;
  const fail = (sentence: string) => new StartupError(sentence);
  const holder = createIdentityHolder(tlsTools, address.files, clock(), fail);
  const refusals = createTlsRefusals(deps);
  let timer: NodeJS.Timeout | undefined;

  function reloadInto(server: Server): void {
    const { changed, faults } = holder.reload(clock());
    for (const { code } of faults) log({ event: 'tls_files_refused', fault: code });
    if (!changed) return;
    server.setSecureContext(secureContextOf(holder.current()));
    log({ event: 'tls_files_loaded' });
  }

  return {
    async open(listener) {
      const accepted = new WeakMap<object, AcceptedPeer>();
      const options = {
        ...SERVER_OPTIONS,
        ...HANDSHAKE_OPTIONS,
        ...secureContextOf(holder.current()),
      };
      const server = createServer(options, (request, response) => {
        const peer = accepted.get(request.socket);
        if (!peer) return void request.socket.destroy();
        // The next request then begins with a handshake, which checks the newest certificates.
        if (peer.identity !== holder.current() || peer.expires_at <= clock())
          response.setHeader('connection', 'close');
        listener(request, response);
      });
      acceptPeers(server, { address, holder, refusals, accepted });
      await listen(server, address);
      timer = setInterval(() => reloadInto(server), reload_ms).unref();
      return server;
    },
    health: () => ({ expires_at: holder.current().expires_at, refused: refusals.counts() }),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

const HANDSHAKE_OPTIONS = {
  requestCert: true,
  rejectUnauthorized: true,
  handshakeTimeout: HANDSHAKE_MS,
  ALPNProtocols: ['http/1.1'],
} as const;

/** Without tickets, since a resumed session would skip the check of the peer's certificate. */
const secureContextOf = ({ cert, key, ca }: TlsIdentity) => ({
  cert,
  key,
  ca,
  minVersion: 'TLSv1.3' as const,
  secureOptions: constants.SSL_OP_NO_TICKET,
});

interface AcceptOptions {
  readonly address: TlsAddress;
  readonly holder: IdentityHolder;
  readonly refusals: TlsRefusals;
  readonly accepted: WeakMap<object, AcceptedPeer>;
}

/** Closes connections of peers with another name before HTTP reads from them, and counts all that are refused. */
function acceptPeers(server: Server, { address, holder, refusals, accepted }: AcceptOptions): void {
  server.on('tlsClientError', (error, socket) => refusals.count(refusalOf(error, socket)));
  server.prependListener('secureConnection', (socket: TLSSocket) => {
    const certificate = socket.getPeerX509Certificate();
    const hasName = address.client_names.some((name) =>
      certificate?.checkHost(name, { subject: 'never', wildcards: false }),
    );
    if (certificate && hasName) {
      const expires_at = Date.parse(certificate.validTo);
      accepted.set(socket, { identity: holder.current(), expires_at });
    } else {
      refusals.count('wrong_name');
      socket.destroy();
    }
  });
}

const listen = (server: Server, { host, port }: TlsAddress): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new StartupError(`The vault cannot listen at VAULT_LISTEN (${faultOf(cause)}).`, { cause }),
      ),
    );
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
