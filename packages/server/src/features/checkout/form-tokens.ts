import type { Secret } from '../../platform/crypto/key-ring.ts';
import { createSigner } from '../../platform/crypto/signer.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { type Clock, seconds } from '../../platform/time/clock.ts';
import { payloadTextsOf } from './payload-texts.ts';
import { MOUNT_SECONDS } from './session.ts';

/**
 * Permission for one of our own pages to mount the form of one payment or subscription. Replaces a
 * shop's publishable key.
 */
export interface FormToken {
  readonly scope: Scope;
  /** Id of a payment or a subscription. */
  readonly payment_id: string;
  /** Id of the page's record. Card attempts are counted per holder, as for a publishable key. */
  readonly holder_id: string;
  /** Epoch of the customer's link, for a form on the customer page. */
  readonly customer_links_epoch?: number;
  /** Form in the dashboard: a member types the card of an absent payer, as in an order by telephone. */
  readonly by_member?: true;
}

export interface FormTokens {
  /** Makes the text of a form token. The token is valid as long as a mounted form. */
  make(formToken: FormToken): string;
  /** Parses a form token; undefined if forged, malformed or expired. */
  read(text: string): FormToken | undefined;
}

/** Pattern of a form token. Differs from publishable keys, since the SDK accepts both. */
const FORM_TOKEN = /^ept_(live|sandbox)_g([\w-]{1,300})\.([\w-]{1,64})$/;

const BY_MEMBER = 'member';

/** Merchant that a form token names, without a check of its signature. */
export const merchantNamedByFormToken = (text: string): string | undefined =>
  payloadTextsOf(FORM_TOKEN.exec(text)?.[2] ?? '')[0];

/**
 * Form tokens are signed and not stored: `ept_<mode>_g<payload>.<hmac>`. Tokens expire by the system clock, since the customer's timeline is unknown until a token is parsed.
 */
export function createFormTokens(key: Secret, system_clock: Clock): FormTokens {
  const signer = createSigner(key);
  return {
    make({ scope: { merchant_id, mode }, ...formToken }) {
      const { payment_id, holder_id, customer_links_epoch = '', by_member } = formToken;
      const expires = system_clock.now() + seconds(MOUNT_SECONDS);
      const text = [
        ...[merchant_id, payment_id, holder_id, expires, customer_links_epoch],
        by_member ? BY_MEMBER : '',
      ].join(' ');
      const body = `ept_${mode}_g${Buffer.from(text).toString('base64url')}`;
      return `${body}.${signer.sign(body)}`;
    },
    read(text) {
      const [, mode, payload = '', signature = ''] = FORM_TOKEN.exec(text) ?? [];
      if (!mode || !signer.isSignatureOf(`ept_${mode}_g${payload}`, signature)) return undefined;
      const texts = payloadTextsOf(payload);
      const [merchant_id = '', payment_id = '', holder_id = '', expires = ''] = texts;
      const [epoch = '', embedder = ''] = texts.slice(4);
      if (Number(expires) < system_clock.now()) return undefined;
      return {
        scope: { merchant_id, mode: mode as Scope['mode'] },
        payment_id,
        holder_id,
        ...(epoch !== '' && { customer_links_epoch: Number(epoch) }),
        ...(embedder === BY_MEMBER && { by_member: true }),
      };
    },
  };
}
