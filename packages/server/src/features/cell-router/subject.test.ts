import { describe, expect, it } from 'vitest';
import { createSigner } from '../../platform/crypto/signer.ts';
import { createFormTokens } from '../checkout/form-tokens.ts';
import { createMountSessions } from '../checkout/session.ts';
import { createSignedReferences } from '../checkout/threeds/signed-references.ts';
import { hashKey, makeKey } from '../merchants/api-key.ts';
import { makeToken } from '../people/accounts/token.ts';
import { customerToken } from '../subscriptions/customer-links/customer-link.ts';
import { routingSubjectOf } from './subject.ts';

const MERCHANT = '01935f00-0000-7000-8000-0000000000aa';
const ID = '01935f00-0000-7000-8000-000000000001';
const scope = { merchant_id: MERCHANT, mode: 'live' } as const;
const ring = Buffer.alloc(32, 1);
const clock = { now: () => 0 };
const form = createFormTokens(ring, clock).make({ scope, payment_id: ID, holder_id: ID });
const mount = { scope, payment_id: ID, threeds: 'required', token_id: ID } as const;
const session = createMountSessions(ring).open(mount, 0);
const reference = createSignedReferences(ring).sign('browser', { ...scope, id: ID });
const customer = customerToken(
  { customer_links: createSigner(ring) },
  { scope, subscription_id: ID, expires: 0, epoch: 0 },
);
const key = makeKey('sandbox', 'secret');
const publishable = makeKey('sandbox', 'browser');
const merchant = { kind: 'merchant', value: MERCHANT };
const any = { kind: 'any' };
const newest = { kind: 'all', order: { at: 'created_at', is_descending: true } };
const due = { kind: 'all', order: { at: 'review_due_at', is_descending: false } };
const since = { kind: 'all', order: { at: 'since', is_descending: false } };

describe('the subject of a request', () => {
  it.each([
    ['GET', `/l/abcdefghijklmnopqrstu-/2`, { kind: 'link', value: 'abcdefghijklmnopqrstu-' }],
    ['POST', `/s/${customer}/cancel`, merchant],
    ['POST', `/threeds/v1/challenge/${reference}/done`, merchant],
    ['POST', `/threeds/v1/results/${reference}`, merchant],
    ['GET', `/pay/${ID}?key=${form}`, merchant],
    ['GET', `/pay/${ID}?key=${publishable}`, { kind: 'key', value: hashKey(publishable) }],
    ['GET', `/frame/v1/status?session=${session}`, merchant],
    ['POST', `/notifications/${ID}`, { kind: 'account', value: ID }],
    ['POST', `/dashboard/api/operator/merchants/${MERCHANT}/approval`, merchant],
    ['POST', `/dashboard/api/invitations/${MERCHANT}/${ID}/accept`, merchant],
    ['GET', `/dashboard/api/exports?merchant=${MERCHANT}&mode=live`, merchant],
    ['POST', '/dashboard/api/merchants', { kind: 'new_merchant' }],
    ['GET', '/dashboard/api/me', { kind: 'all' }],
    ['GET', '/dashboard/api/operator/merchants?search=a', newest],
    ['GET', '/dashboard/api/operator/merchants?only=review_due', due],
    ['GET', '/dashboard/api/operator/unknown_outcomes', since],
    ['GET', '/dashboard/api/operator/processor_accounts', { kind: 'first' }],
    ['PUT', '/dashboard/api/operator/routing/live', { kind: 'first' }],
    ['GET', `/dashboard/api/exports?merchant=${MERCHANT.toUpperCase()}`, merchant],
    ['GET', '/pay/1?key=ept_live_gforged', any],
    ['GET', '/s/forged', any],
    ['GET', '/threeds/v1/method/forged.reference', any],
    ['GET', '/dashboard', any],
    ['GET', '//[', any],
  ])('%s %s', (method, url, subject) => {
    expect(routingSubjectOf({ method, url, headers: {} })).toEqual(subject);
  });

  it('is the key before all else, as cells authenticate by it', () => {
    const headers = { authorization: `Bearer ${key}`, 'florin-merchant': MERCHANT };
    const head = { method: 'GET', url: '/l/abcdefghijklmnopqrstu-', headers };
    expect(routingSubjectOf(head)).toEqual({ kind: 'key', value: hashKey(key) });
    expect(
      routingSubjectOf({ ...head, headers: { ...headers, authorization: 'Bearer x' } }),
    ).toEqual(any);
    expect(routingSubjectOf({ ...head, headers: { 'florin-merchant': MERCHANT } })).toEqual(
      merchant,
    );
  });

  it.each([
    ['/frame/v1/verify', { session }, merchant],
    ['/frame/v1/abandon', { session: 'forged' }, undefined],
    ['/dashboard/api/links/use', { token: 'short' }, undefined],
  ])('of POST %s is in its body', (url, body, found) => {
    const subject = routingSubjectOf({ method: 'POST', url, headers: {} });
    expect('entryOf' in subject && subject.entryOf(body)).toEqual(found);
    const token = makeToken();
    const link = routingSubjectOf({
      method: 'POST',
      url: '/dashboard/api/links/look',
      headers: {},
    });
    expect('entryOf' in link && link.entryOf({ token })).toEqual({
      kind: 'account_link',
      value: hashKey(token),
    });
  });
});
