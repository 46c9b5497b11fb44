import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { createLru } from '@florin/contract/lru.ts';
import { RelayRefusal } from './refusal.ts';

/** Client certificate of a processor account, for mutual TLS. */
export interface ClientIdentity {
  /** Mode and id of the account. Accounts share no connection. */
  readonly account: string;
  /** Digest of certificate and key. Another one needs new connections. */
  readonly fingerprint: string;
  /** Certificate as PEM, with the chain after it. */
  readonly certificate: string;
  /** Private key as PEM, without a passphrase. */
  readonly private_key: string;
}

/** Validity of a certificate in milliseconds since 1970. */
interface Validity {
  readonly from: number;
  readonly to: number;
}

const IDENTITIES_MAX = 1_000;

const validities = createLru<Validity>(IDENTITIES_MAX);

const unusable = (detail: string): RelayRefusal =>
  new RelayRefusal('client_certificate_unusable', detail);

/**
 * Checks a client certificate. Throws a refusal if certificate or key cannot be read, do not belong together, or are not
 * valid at `now`. A processor would end the connection after the message was written, so its outcome would be unknown.
 */
export function requireIdentity(
  { account, certificate, private_key }: Omit<ClientIdentity, 'fingerprint'>,
  now: number,
): ClientIdentity {
  const fingerprint = createHash('sha256')
    .update(`${certificate.length} ${certificate}${private_key}`)
    .digest('base64');
  const { from, to } = validities.getOrCreate(fingerprint, () =>
    readValidity(certificate, private_key),
  );
  if (now < from || now >= to)
    throw unusable(
      `The client certificate is valid from ${dateOf(from)} to ${dateOf(to)}. Store another one.`,
    );
  return { account, fingerprint, certificate, private_key };
}

const dateOf = (time: number): string => new Date(time).toISOString();

function readValidity(pem: string, private_key: string): Validity {
  const certificate = readOrRefuse(
    () => new X509Certificate(pem),
    'The client certificate cannot be read. Store it as PEM.',
  );
  const key = readOrRefuse(
    () => createPrivateKey(private_key),
    'The key of the client certificate cannot be read. Store it as PEM without a passphrase.',
  );
  if (!certificate.checkPrivateKey(key))
    throw unusable('The key does not belong to the client certificate. Store both again.');
  return { from: Date.parse(certificate.validFrom), to: Date.parse(certificate.validTo) };
}

/** Errors of the library may quote their input, so they are dropped. */
function readOrRefuse<T>(read: () => T, detail: string): T {
  try {
    return read();
  } catch {
    throw unusable(detail);
  }
}
