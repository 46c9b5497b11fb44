import { expect, it } from 'vitest';
import { isAnsweredWhileClosed, isFormFile } from './closed.ts';

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
  [
    'POST',
    '/dashboard/api/operator/merchants/01935f00/live/unknown_outcomes/01935f00/close',
    false,
  ],
  ['POST', '/dashboard/api/operator/merchants/01935f00/live/unknown_outcomes/01935f00/ask', false],
  ['GET', '/shop', false],
  ['GET', '/shop/?currency=EUR', false],
  ['GET', '/shop/shop.css', true],
  ['POST', '/shop/orders?x=/dashboard/api/session', false],
])('%s %s is answered by a closed installation: %s', (method, url, expected) => {
  expect(isAnsweredWhileClosed({ method, url })).toBe(expected);
});

it.each([
  ['GET', '/v1/florin.js', true],
  ['GET', '/pay/01935f00?x=/v1/', false],
  ['POST', '/v1/florin.js', false],
  ['POST', '/frame/v1/verify', false],
])('%s %s is answered at the site of payers while closed: %s', (method, url, expected) => {
  expect(isFormFile({ method, url })).toBe(expected);
});
