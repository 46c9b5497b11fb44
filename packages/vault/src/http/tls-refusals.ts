import type { TLSSocket } from 'node:tls';
import {
  type ConnectionRefusal,
  connectionRefusals,
} from '@florin/contract/protocol/vault-health.ts';
import type { Audit } from '../audit/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import { faultOf, type Log } from '../kernel/logger.ts';

const MINUTE_MS = 60_000;

/** Connections that the vault refused. */
export interface TlsRefusals {
  /** Counts a refusal. Raises an alarm once a minute for each reason. */
  count(reason: ConnectionRefusal): void;
  counts(): Readonly<Record<ConnectionRefusal, number>>;
}

export function createTlsRefusals({
  clock,
  log,
  audit,
}: {
  readonly clock: Clock;
  readonly log: Log;
  readonly audit: Pick<Audit, 'enqueue'>;
}): TlsRefusals {
  const counts = Object.fromEntries(connectionRefusals.map((reason) => [reason, 0])) as Record<
    ConnectionRefusal,
    number
  >;
  const alarmedMinutes = new Map<ConnectionRefusal, number>();
  return {
    count(reason) {
      counts[reason] += 1;
      const minute = Math.floor(clock() / MINUTE_MS);
      // Load balancers and port scanners open connections without a word.
      if (reason === 'other' || alarmedMinutes.get(reason) === minute) return;
      alarmedMinutes.set(reason, minute);
      log({ event: 'connection_refused', reason });
      audit.enqueue({ actor: 'server', verb: 'connect', outcome: `refused_${reason}` });
    },
    counts: () => ({ ...counts }),
  };
}

const DATE_FAULTS: ReadonlySet<string> = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);

/** Why a handshake failed: OpenSSL's verdict on the certificate, or the error of the handshake. */
export function refusalOf(error: Error, socket: TLSSocket): ConnectionRefusal {
  // A code, although Node's types say Error.
  const verdict = socket.authorizationError as unknown;
  if (typeof verdict === 'string')
    return DATE_FAULTS.has(verdict) ? 'expired' : 'unknown_authority';
  const fault = faultOf(error);
  if (fault === 'ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE') return 'no_certificate';
  return fault.startsWith('ERR_SSL_') ? 'protocol' : 'other';
}
