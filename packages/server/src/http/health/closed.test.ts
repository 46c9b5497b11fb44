import { expect, it } from 'vitest';
import { isAnsweredWhileClosed } from './closed.ts';

it.each([
  ['GET', '/v2/payment_demands', true],
  ['HEAD', '/dashboard/', true],
  ['POST', '/dashboard/api/session', true],
  ['DELETE', '/dashboard/api/session', true],
  ['POST', '/dashboard/api/session/code', true],
  ['PATCH', '/v2/payment_subscriptions/01935f00/pause', true],
  ['PATCH', '/v2/payment_subscriptions/01935f00/cancel?include=payer', true],
  ['PATCH', '/v2/payment_demands/01935f00/cancel', true],
  ['PATCH', '/v2/payment_subscriptions/01935f00/resume', false],
  ['PATCH', '/v2/payment_subscriptions/01935f00', false],
  ['PATCH', '/v2/payment_demands/01935f00/confirm', false],
  ['POST', '/v2/payment_demands', false],
  ['POST', '/v2/refund_demands', false],
  ['POST', '/dashboard/api/sessions', false],
  ['POST', '/dashboard/api/operator/queues/attempts/run', false],
  ['POST', '/shop/orders?x=/dashboard/api/session', false],
])('%s %s is answered by a closed installation: %s', (method, url, expected) => {
  expect(isAnsweredWhileClosed({ method, url })).toBe(expected);
});
