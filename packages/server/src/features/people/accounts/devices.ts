import { randomBytes } from 'node:crypto';
import type { Signer } from '../../../platform/crypto/signer.ts';

const NONCE_BYTES = 16;
const TOKEN = /^([\w-]{22})\.([\w-]{43})$/;

/** Proof of a browser: a complete sign-in, or only a link from the person's mailbox. */
export type DeviceProof = 'sign_in' | 'link';

/**
 * Browsers of a person, known by a signed token per email address. Their attempts are counted apart, so that guesses of
 * strangers lock no person out. A token opens nothing.
 */
export interface Devices {
  /** Token for a browser of the address. Keeps the id of a valid token, and with it the counts of the browser. */
  tokenFor(email: string, token: string | undefined, proof: DeviceProof): string;
  /** Id of the browser; undefined without a token of the address. */
  idOf(email: string, token: string | undefined): string | undefined;
  /**
   * Id of a browser with a complete sign-in. Only such a browser has its own count of codes: each link makes another
   * browser known.
   */
  signedInIdOf(email: string, token: string | undefined): string | undefined;
}

/** Start of the signed text of each proof. */
const NAMES: Readonly<Record<DeviceProof, string>> = {
  sign_in: 'device',
  link: 'linked device',
};

export function createDevices(signer: Signer): Devices {
  const textOf = (email: string, id: string, proof: DeviceProof): string =>
    `${NAMES[proof]} ${id} ${email.toLowerCase()}`;
  const provenIdOf = (email: string, token = '', proof: DeviceProof): string | undefined => {
    const [, id = '', signature = ''] = TOKEN.exec(token) ?? [];
    return signer.isSignatureOf(textOf(email, id, proof), signature) ? id : undefined;
  };
  const signedInIdOf: Devices['signedInIdOf'] = (email, token) =>
    provenIdOf(email, token, 'sign_in');
  const idOf: Devices['idOf'] = (email, token) =>
    signedInIdOf(email, token) ?? provenIdOf(email, token, 'link');
  return {
    idOf,
    signedInIdOf,
    tokenFor(email, token, proof) {
      const isSignedIn = signedInIdOf(email, token) !== undefined;
      const id = idOf(email, token) ?? randomBytes(NONCE_BYTES).toString('base64url');
      return `${id}.${signer.sign(textOf(email, id, isSignedIn ? 'sign_in' : proof))}`;
    },
  };
}
