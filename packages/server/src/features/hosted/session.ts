import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Micros } from '../../kernel/clock.ts';
import { seconds } from '../../kernel/clock.ts';
import type { Scope } from '../../store/scope.ts';

/** One mounted form: it may verify cards for this payment, and nothing else. */
export interface MountSession {
  /** Random; sealed cards name it, so that a card sealed for one mount fits no other. */
  readonly nonce: string;
  readonly scope: Scope;
  readonly payment_id: string;
  readonly expires: Micros;
}

const LIFE_SECONDS = 60 * 60;
const NONCE_BYTES = 16;

/**
 * Sessions are signed, not stored: `<nonce>.<payload>.<hmac>`, so mounting a form writes nothing and
 * any process can check it.
 */
export function createSessions(key: Buffer) {
  const sign = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  return {
    open(scope: Scope, payment_id: string, now: Micros): string {
      const nonce = randomBytes(NONCE_BYTES).toString('base64url');
      const payload = [scope.merchant_id, scope.mode, payment_id, now + seconds(LIFE_SECONDS)].join(
        ' ',
      );
      const body = `${nonce}.${Buffer.from(payload).toString('base64url')}`;
      return `${body}.${sign(body)}`;
    },
    /** The session, or undefined where it is forged, malformed or over. */
    read(session: string, now: Micros): MountSession | undefined {
      const [nonce = '', payload = '', mac = ''] = session.split('.');
      if (!equal(mac, sign(`${nonce}.${payload}`))) return undefined;
      const [merchant_id = '', mode = '', payment_id = '', expires = ''] = Buffer.from(
        payload,
        'base64url',
      )
        .toString()
        .split(' ');
      if (Number(expires) < now) return undefined;
      const scope = { merchant_id, mode: mode as Scope['mode'] };
      return { nonce, scope, payment_id, expires: Number(expires) };
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;

function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
