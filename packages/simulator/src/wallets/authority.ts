import type { CertificateTerms, Holder } from './certificate.ts';
import { type KeyPair, keysOf } from './keys.ts';

/** Extensions that mark Apple's payment token certificates. */
const LEAF_MARKER = '1.2.840.113635.100.6.29';
const INTERMEDIATE_MARKER = '1.2.840.113635.100.6.2.14';

const NOT_BEFORE = new Date('2020-01-01T00:00:00Z');
const NOT_AFTER = new Date('2049-12-31T00:00:00Z');

/** Signer of the sandbox's Apple Pay tokens. The vault trusts the root certificate. */
export interface AppleAuthority {
  readonly root: CertificateTerms;
  /** Certificates of the signer, leaf first. */
  readonly chain: readonly [CertificateTerms, ...CertificateTerms[]];
}

/** Signer of the sandbox's Google Pay tokens. The vault trusts the root's public key. */
export interface GoogleAuthority {
  readonly root: KeyPair;
  readonly intermediate: KeyPair;
}

const createHolder = (name: string): Holder => ({ name, keys: keysOf(name) });

/** Creates the sandbox's signer. With another `name` the vault does not trust its tokens. */
export function createAppleAuthority(name = 'Florin Sandbox'): AppleAuthority {
  const [root, intermediate, leaf] = [
    createHolder(`${name} Wallet Root`),
    createHolder(`${name} Wallet Intermediate`),
    createHolder(`${name} Wallet Signer`),
  ];
  const validity = { notBefore: NOT_BEFORE, notAfter: NOT_AFTER };
  return {
    root: { subject: root, issuer: root, ca: true, ...validity },
    chain: [
      { subject: leaf, issuer: intermediate, ca: false, marker: LEAF_MARKER, ...validity },
      { subject: intermediate, issuer: root, ca: true, marker: INTERMEDIATE_MARKER, ...validity },
    ],
  };
}

export const createGoogleAuthority = (name = 'Florin Sandbox'): GoogleAuthority => ({
  root: keysOf(`${name} Google root`),
  intermediate: keysOf(`${name} Google intermediate`),
});
