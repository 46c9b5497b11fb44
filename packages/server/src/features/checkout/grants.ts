import { createSigner } from '../../platform/crypto/signer.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { type Clock, seconds } from '../../platform/time/clock.ts';
import { MOUNT_SECONDS } from './session.ts';

/** Leave for one of our own pages to mount the form of one payment: it stands where a shop has its publishable key. */
export interface Grant {
  readonly scope: Scope;
  /** A payment or a subscription. */
  readonly payment_id: string;
  /** The record whose page it is; tries of cards are counted for it as for a key. */
  readonly holder_id: string;
  /** Of the customer's own page: the epoch of the link that led there. */
  readonly customer_links_epoch?: number;
}

export interface Grants {
  /** The text of a grant that is good for as long as a mounted form is. */
  make(grant: Grant): string;
  /** The grant, or undefined where it is forged, malformed or over. */
  read(text: string): Grant | undefined;
}

/** What a grant is told by, beside keys: the SDK takes both. */
const GRANT = /^ept_(live|sandbox)_g([\w-]{1,300})\.([\w-]{1,64})$/;

/**
 * Grants are signed, not stored: `ept_<mode>_g<payload>.<hmac>`. They end by the machine's time, wherever the clock of
 * their customer is: who reads one does not know yet whose it is.
 */
export function createGrants(key: Buffer, machine: Clock): Grants {
  const signer = createSigner(key);
  return {
    make({ scope: { merchant_id, mode }, payment_id, holder_id, customer_links_epoch }) {
      const expires = machine.now() + seconds(MOUNT_SECONDS);
      const text = [merchant_id, payment_id, holder_id, expires, customer_links_epoch ?? ''].join(
        ' ',
      );
      const body = `ept_${mode}_g${Buffer.from(text).toString('base64url')}`;
      return `${body}.${signer.sign(body)}`;
    },
    read(text) {
      const [, mode, payload = '', signature = ''] = GRANT.exec(text) ?? [];
      if (!mode || !signer.isSignatureOf(`ept_${mode}_g${payload}`, signature)) return undefined;
      const texts = Buffer.from(payload, 'base64url').toString().split(' ');
      const [merchant_id = '', payment_id = '', holder_id = '', expires = '', epoch = ''] = texts;
      if (Number(expires) < machine.now()) return undefined;
      return {
        scope: { merchant_id, mode: mode as Scope['mode'] },
        payment_id,
        holder_id,
        ...(epoch !== '' && { customer_links_epoch: Number(epoch) }),
      };
    },
  };
}
