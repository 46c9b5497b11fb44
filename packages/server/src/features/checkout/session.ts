import { randomBytes } from 'node:crypto';
import type { ThreeDSecurePolicy } from '../../platform/caller.ts';
import type { Secret } from '../../platform/crypto/key-ring.ts';
import { createSigner } from '../../platform/crypto/signer.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { Micros } from '../../platform/time/clock.ts';
import { seconds } from '../../platform/time/clock.ts';
import { payloadTextsOf } from './payload-texts.ts';

/** Facts of a mounted form. */
export interface Mount {
  readonly scope: Scope;
  readonly payment_id: string;
  /** The merchant's 3-D Secure policy when the form was mounted. */
  readonly threeds: ThreeDSecurePolicy;
  /** Id of the publishable key; on the customer page, id of the subscription. */
  readonly token_id: string;
  /** Epoch of the customer's link, for a form on the customer page. */
  readonly customer_links_epoch?: number;
  /** Whether a member types the card of an absent payer. */
  readonly by_member?: true;
}

/** Session of a mounted form. Permits only card verification for its payment. */
export interface MountSession extends Mount {
  /**
   * Random text inside each encrypted card, so that the card is valid in this mounted form only.
   */
  readonly nonce: string;
  readonly expires: Micros;
}

/** Merchant that a session names, without a check of its signature. */
export const merchantNamedBySession = (session: string): string | undefined =>
  payloadTextsOf(session.split('.')[1] ?? '')[0];

export const MOUNT_SECONDS = 60 * 60;
const BY_MEMBER = 'member';
const NONCE_BYTES = 16;

/**
 * Sessions are signed and not stored: `<nonce>.<payload>.<hmac>`. Mounting a form writes nothing,
 * and any process can verify a session.
 */
export function createMountSessions(key: Secret) {
  const signer = createSigner(key);
  return {
    open(mount: Mount, now: Micros): string {
      const { scope, payment_id, threeds, token_id, customer_links_epoch = '', by_member } = mount;
      const nonce = randomBytes(NONCE_BYTES).toString('base64url');
      const expires = now + seconds(MOUNT_SECONDS);
      const { merchant_id, mode } = scope;
      const payload = [
        ...[merchant_id, mode, payment_id, threeds, token_id],
        ...[expires, customer_links_epoch, by_member ? BY_MEMBER : ''],
      ].join(' ');
      const body = `${nonce}.${Buffer.from(payload).toString('base64url')}`;
      return `${body}.${signer.sign(body)}`;
    },
    /** Parses a session; undefined if forged, malformed or expired. */
    read(session: string, now: Micros): MountSession | undefined {
      const [nonce = '', payload = '', signature = ''] = session.split('.');
      if (!signer.isSignatureOf(`${nonce}.${payload}`, signature)) return undefined;
      const texts = payloadTextsOf(payload);
      const [merchant_id = '', mode = '', payment_id = '', threeds = '', token_id = ''] = texts;
      const [expires = '', epoch = '', embedder = ''] = texts.slice(5);
      if (Number(expires) < now) return undefined;
      return {
        nonce,
        scope: { merchant_id, mode: mode as Scope['mode'] },
        payment_id,
        threeds: threeds as ThreeDSecurePolicy,
        token_id,
        expires: Number(expires),
        ...(epoch !== '' && { customer_links_epoch: Number(epoch) }),
        ...(embedder === BY_MEMBER && { by_member: true }),
      };
    },
  };
}

export type MountSessions = ReturnType<typeof createMountSessions>;
