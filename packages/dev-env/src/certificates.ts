import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TlsFiles } from '@florin/contract/tls/identity.ts';
import {
  type CertificateTerms,
  certificateOf,
  type Holder,
} from '@florin/simulator/wallets/certificate.ts';

const DATES = { notBefore: new Date('2020-01-01'), notAfter: new Date('2049-01-01') };

const createHolder = (name: string): Holder => ({
  name,
  keys: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
});

const toPem = (terms: CertificateTerms): string =>
  new X509Certificate(certificateOf(terms)).toString();

/** A certificate and its key, both as PEM. */
export interface IssuedCertificate {
  readonly cert: string;
  readonly key: string;
}

export type IssueChanges = Partial<Pick<CertificateTerms, 'notBefore' | 'notAfter'>>;

/** An authority for connections with mutual TLS. */
export interface TestAuthority {
  readonly ca: string;
  issue(names: readonly string[], changes?: IssueChanges): IssuedCertificate;
}

export function createAuthority(name = 'authority'): TestAuthority {
  const issuer = createHolder(name);
  return {
    ca: toPem({ subject: issuer, issuer, ca: true, ...DATES }),
    issue(names, changes = {}) {
      const subject = createHolder(names.join());
      const key = subject.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      return { cert: toPem({ subject, issuer, ca: false, names, ...DATES, ...changes }), key };
    },
  };
}

/** Variables of the three files, in the order certificate, key, authority. */
export type TlsFileVariables = readonly [string, string, string];

/** Writes the files of one side into a directory. Existing ones are replaced, the key first. */
export function writeTlsFiles(
  directory: string,
  { cert, key }: IssuedCertificate,
  { ca }: Pick<TestAuthority, 'ca'>,
  [certificate, keyVariable, authority]: TlsFileVariables = ['certificate', 'key', 'authority'],
): TlsFiles {
  mkdirSync(directory, { recursive: true });
  const write = (variable: string, name: string, text: string) => {
    const path = join(directory, name);
    writeFileSync(path, text, { mode: 0o600 });
    chmodSync(path, 0o600);
    return { variable, path };
  };
  return {
    key: write(keyVariable, 'key.pem', key),
    certificate: write(certificate, 'cert.pem', cert),
    authority: write(authority, 'ca.pem', ca),
  };
}
