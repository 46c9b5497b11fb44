import { randomBytes } from 'node:crypto';
import type { Signer } from '../../../platform/crypto/signer.ts';

const NONCE_BYTES = 16;
const TOKEN = /^([\w-]{22})\.([\w-]{43})$/;

/**
 * Browsers in which a person has signed in, known by a signed token per email address. Their attempts are counted
 * apart, so that guesses of strangers lock no person out. A token opens nothing.
 */
export interface Devices {
  /** Token for a browser of the address. Keeps a valid token, and with it the counts of the browser. */
  tokenFor(email: string, token: string | undefined): string;
  /** Id of the browser; undefined without a token of the address. */
  idOf(email: string, token: string | undefined): string | undefined;
}

export function createDevices(signer: Signer): Devices {
  const textOf = (email: string, id: string): string => `device ${id} ${email.toLowerCase()}`;
  const idOf: Devices['idOf'] = (email, token = '') => {
    const [, id = '', signature = ''] = TOKEN.exec(token) ?? [];
    return signer.isSignatureOf(textOf(email, id), signature) ? id : undefined;
  };
  return {
    idOf,
    tokenFor(email, token) {
      if (token !== undefined && idOf(email, token) !== undefined) return token;
      const id = randomBytes(NONCE_BYTES).toString('base64url');
      return `${id}.${signer.sign(textOf(email, id))}`;
    },
  };
}
