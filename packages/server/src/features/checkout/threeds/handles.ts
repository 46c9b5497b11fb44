import { createSigner } from '../../../platform/crypto/signer.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import { isUuid } from '../../../platform/ids.ts';

/** Names one authentication. */
export interface AuthenticationKey extends Scope {
  readonly id: string;
}

/** Who may hold a handle: the cardholder's browser, or the directory server that tells results. */
export type Holder = 'browser' | 'directory';

/**
 * Names of authentications that go out and come back, and cannot be made up: `<authentication>.<hmac>`. One
 * that a browser was given does not serve to tell results.
 */
export function createHandles(key: Buffer) {
  const signer = createSigner(key);
  return {
    of(holder: Holder, { merchant_id, mode, id }: AuthenticationKey): string {
      const body = Buffer.from(`${merchant_id} ${mode} ${id}`).toString('base64url');
      return `${body}.${signer.sign(`${holder} ${body}`)}`;
    },
    /** The authentication, or undefined where the handle is forged, malformed or another holder's. */
    read(holder: Holder, handle: string): AuthenticationKey | undefined {
      const [body = '', signature = ''] = handle.split('.');
      if (!signer.isSignatureOf(`${holder} ${body}`, signature)) return undefined;
      const text = Buffer.from(body, 'base64url').toString();
      const [merchant_id = '', mode = '', id = ''] = text.split(' ');
      return isUuid(id) ? { merchant_id, mode: mode as Scope['mode'], id } : undefined;
    },
  };
}

export type Handles = ReturnType<typeof createHandles>;
