import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether the raw body was signed with the secret in the last five minutes. */
function verify(body: string, edgeSignature: string, secret: string): boolean {
  const [, time = '', signature = ''] = /^t=(\d+),v3=([0-9a-f]{64})$/.exec(edgeSignature) ?? [];
  const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest();
  const isFresh = Math.abs(Date.now() / 1000 - Number(time)) <= 300;
  return isFresh && signature !== '' && timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}
