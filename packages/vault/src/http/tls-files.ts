import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { TlsTools } from '@florin/contract/tls/identity.ts';

/** The file system and Node's cryptography, for the check of certificates. */
export const tlsTools: TlsTools = {
  readFile: (path) => readFileSync(path, 'utf8'),
  entryOf: (path) => statSync(path),
  uid: process.getuid?.(),
  parseCertificate: (pem) => new X509Certificate(pem),
  isPair: (certificate, key) =>
    new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key)),
};
