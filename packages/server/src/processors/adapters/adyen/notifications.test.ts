import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  adyenSchemaErrors,
  hasAdyenSchemas,
} from '../../../../../simulator/tests/adyen/schemas.ts';
import type { NotificationFact } from '../../port/notifications.ts';
import { disputeReasonOf } from './disputes.ts';
import { adyenNotifications } from './notifications.ts';

const account = {
  id: 'account-1',
  mode: 'sandbox',
  settings: { api_url: 'https://checkout-test.adyen.com', merchant_account: 'FlorinTest_ECOM' },
} as const;
const attempt = '0198f0c2-7d3a-7c11-9b52-3a1f6a5e0d42';
const PSP = 'QFQTPCQ8HXSKGK82';
const MODIFICATION = '8515208516304269';

type Item = Readonly<Record<string, unknown>>;

const authorisation: Item = {
  pspReference: PSP,
  merchantAccountCode: 'FlorinTest_ECOM',
  merchantReference: attempt,
  amount: { value: 2599, currency: 'EUR' },
  eventCode: 'AUTHORISATION',
  eventDate: '2026-11-24T15:00:00+01:00',
  success: 'true',
};
/** A modification or dispute of the payment. */
const eventOf = (eventCode: string, change: Item = {}): Item => ({
  ...authorisation,
  pspReference: MODIFICATION,
  originalReference: PSP,
  eventCode,
  ...change,
});

const notificationOf = (items: readonly Item[], live: unknown = 'false', headers = {}) => ({
  headers,
  body: Buffer.from(
    JSON.stringify({
      live,
      notificationItems: items.map((NotificationRequestItem) => ({ NotificationRequestItem })),
    }),
  ),
});

const factsOf = (...items: Item[]) => adyenNotifications.readFacts(notificationOf(items), account);
const factOf = (item: Item): NotificationFact => factsOf(item)[0] as NotificationFact;

describe('the signature of an item', () => {
  const KEY = '00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF';
  const signed = (item: Item, hmacSignature: string): Item => ({
    ...item,
    additionalData: { hmacSignature },
  });

  it.each([
    [authorisation, 'YK5wJd2DLIVggi0aopwC1UFss19Nk1OyyqrA9j/BAcU='],
    [
      eventOf('TECHNICAL_CANCEL', { success: 'false' }),
      '1W2WmVvmh64r4XX1CtQ+2lC904TX6ZQQS+xSwEdWN+A=',
    ],
  ])('covers the values of vector %#', (item, signature) => {
    const [signatureCheck] =
      adyenNotifications.signaturesOf(notificationOf([signed(item, signature)])) ?? [];
    expect(signatureCheck).not.toHaveProperty('only_if_stored');
    expect(signatureCheck?.secrets).toEqual(['hmac_key', 'hmac_key_next']);
    const check = signatureCheck?.check;
    if (check?.kind !== 'hmac_sha256') throw new Error('There is no HMAC.');
    const key = Buffer.from(KEY, check.key_encoding);
    const digest = createHmac('sha256', key).update(check.payload, check.payload_encoding);
    expect(digest.digest(check.signature_encoding)).toBe(check.signature);
  });

  it('is checked for each item, with the login that an account may have', () => {
    const notification = notificationOf([signed(authorisation, 'a'), signed(authorisation, 'b')]);
    const checks = adyenNotifications.signaturesOf(notification) ?? [];
    expect(checks.map(({ secrets, only_if_stored }) => [secrets[0], only_if_stored])).toEqual([
      ['hmac_key', undefined],
      ['hmac_key', undefined],
      ['webhook_login', true],
    ]);
  });

  it.each([
    [`Basic ${Buffer.from('florin:pass:word').toString('base64')}`, 'florin:pass:word'],
    ['Basic ', '-'],
    ['Bearer florin:pass:word', '-'],
    [undefined, '-'],
  ])('with the header %s has the login %s', (authorization, text) => {
    const headers = authorization === undefined ? {} : { authorization };
    const { body } = notificationOf([signed(authorisation, 'a')]);
    const [, login] = adyenNotifications.signaturesOf({ headers, body }) ?? [];
    expect(login?.check).toEqual({ kind: 'equal', text });
  });

  it.each<[string, unknown]>([
    ['no JSON', 'live'],
    ['no items', { live: 'false', notificationItems: [] }],
    ['too many items', { notificationItems: Array(17).fill({}) }],
    [
      'an item without signature',
      { notificationItems: [{ NotificationRequestItem: authorisation }] },
    ],
  ])('of a message with %s is missing', (_, body) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    expect(
      adyenNotifications.signaturesOf({ headers: {}, body: Buffer.from(text) }),
    ).toBeUndefined();
  });

  it.each([
    ['a colon in a reference', { pspReference: 'A:B' }],
    ['a fraction', { amount: { value: 1.5, currency: 'EUR' } }],
    ['a number beyond 2^53', { amount: { value: 2 ** 60, currency: 'EUR' } }],
    ['a success that is no text', { success: true }],
  ])('of an item with %s is missing', (_, change) => {
    const item = signed({ ...authorisation, ...change }, 'a');
    expect(adyenNotifications.signaturesOf(notificationOf([item]))).toBeUndefined();
  });
});

describe('an authorisation', () => {
  it('that succeeded approves the attempt', () => {
    const additionalData = { authCode: '1234', networkTxReference: '638284745624527' };
    expect(factOf({ ...authorisation, additionalData, reason: '1234:1111:03/2030' })).toEqual({
      key: `AUTHORISATION:${PSP}`,
      at: '2026-11-24T14:00:00.000Z',
      kind: 'authorisation',
      attempt_id: attempt,
      result: {
        result: 'approved',
        authorisation_code: '1234',
        network_transaction_id: '638284745624527',
        cvc2_check: 'unprocessed',
        address_line1_verification: 'unverified',
        postal_code_verification: 'unverified',
        processor_reference: PSP,
        money: { amount: 2_599, currency: 'EUR' },
      },
    });
  });

  it.each([
    [
      { value: 2599, currency: 'EUR' },
      { amount: 2_599, currency: 'EUR' },
    ],
    [
      { value: 990_00, currency: 'CLP' },
      { amount: 990, currency: 'CLP' },
    ],
    [{ value: 'many', currency: 'EUR' }, undefined],
  ])('of %j tells the approved amount, if it can be read', (amount, money) => {
    const fact = factOf({ ...authorisation, amount });
    expect(fact.kind === 'authorisation' && fact.result).toMatchObject({ result: 'approved' });
    expect((fact as { result: { money?: unknown } }).result.money).toEqual(money);
  });

  it('that failed declines the attempt by the name of the reason', () => {
    const fact = factOf({ ...authorisation, success: 'false', reason: 'Not enough balance' });
    expect(fact).toMatchObject({
      kind: 'authorisation',
      result: {
        result: 'declined',
        code: 'insufficient_funds',
        advice: 'try_later',
        processor_reference: PSP,
        codes: { reason: 'Not enough balance' },
      },
    });
  });

  it('of less than the amount is a partial approval', () => {
    const additionalData = { authorisedAmountValue: '1000', authorisedAmountCurrency: 'EUR' };
    expect(factOf({ ...authorisation, additionalData })).toMatchObject({
      result: { result: 'partly_approved', approvedAmount: 1_000 },
    });
  });
});

describe.each(['CANCELLATION', 'TECHNICAL_CANCEL', 'CANCEL_OR_REFUND'])('%s', (event) => {
  it.each([
    ['true', true],
    ['false', false],
  ])('with success %s has reversed the attempt: %s', (success, reversed) => {
    expect(factOf(eventOf(event, { success }))).toMatchObject({
      key: `${event}:${MODIFICATION}`,
      kind: 'reversal',
      attempt_id: attempt,
      processor_reference: PSP,
      reversed,
    });
  });

  it('of a payment that another system made names its reference only', () => {
    const fact = factOf(eventOf(event, { merchantReference: 'order 17' }));
    expect(fact).toMatchObject({ kind: 'reversal', processor_reference: PSP });
    expect(fact).not.toHaveProperty('attempt_id');
  });
});

it.each([
  ['CAPTURE', 'true', { kind: 'capture', result: { result: 'approved' } }],
  [
    'CAPTURE',
    'false',
    { kind: 'capture', result: { result: 'declined', code: 'capture_declined' } },
  ],
  ['CAPTURE_FAILED', 'true', { kind: 'capture_failed', reason: 'Insufficient balance' }],
  ['REFUND', 'true', { kind: 'refund', result: { result: 'approved' } }],
  ['REFUND', 'false', { kind: 'refund', result: { result: 'declined', code: 'refund_declined' } }],
  ['REFUND_FAILED', 'true', { kind: 'refund_failed', reason: 'Insufficient balance' }],
  ['REFUNDED_REVERSED', 'true', { kind: 'refund_failed', reason: 'Insufficient balance' }],
])('%s with success %s is %j', (event, success, expected) => {
  const fact = factOf(eventOf(event, { success, reason: 'Insufficient balance' }));
  expect(fact).toMatchObject({
    ...expected,
    key: `${event}:${MODIFICATION}`,
    demand_id: attempt,
    processor_reference: MODIFICATION,
    authorisation_reference: PSP,
  });
});

describe('a dispute', () => {
  it.each([
    ['NOTIFICATION_OF_CHARGEBACK', undefined, 'open'],
    ['CHARGEBACK', undefined, 'open'],
    ['CHARGEBACK', 'Undefended', 'open'],
    ['CHARGEBACK', 'Accepted', 'lost'],
    ['CHARGEBACK', 'Lost', 'lost'],
    ['CHARGEBACK_REVERSED', 'Pending', 'open'],
    ['CHARGEBACK_REVERSED', 'Won', 'won'],
    ['PREARBITRATION_OPEN', undefined, 'open'],
    ['PREARBITRATION_WON', 'Won', 'won'],
    ['PREARBITRATION_WON', 'Pending', 'open'],
    ['PREARBITRATION_LOST', undefined, 'lost'],
    ['ISSUER_RESPONSE_TIMEFRAME_EXPIRED', undefined, 'won'],
    ['SCHEME_ARBITRATION', undefined, 'open'],
    ['SCHEME_ARBITRATION_WON', undefined, 'won'],
    ['SCHEME_ARBITRATION_LOST', undefined, 'lost'],
    ['SECOND_CHARGEBACK', undefined, 'lost'],
    ['DISPUTE_DEFENSE_PERIOD_ENDED', undefined, 'lost'],
  ])('after %s with the status %s is %s', (event, disputeStatus, status) => {
    const additionalData = { disputeStatus, chargebackReasonCode: ' 4837' };
    expect(factOf(eventOf(event, { additionalData }))).toMatchObject({
      kind: 'dispute',
      processor_reference: PSP,
      dispute: {
        reference: MODIFICATION,
        status,
        reason: 'fraudulent',
        amount: 2_599,
        currency: 'EUR',
      },
    });
  });

  it.each([
    ['CHARGEBACK_REVERSED', 'Won', undefined],
    ['DISPUTE_DEFENSE_PERIOD_ENDED', 'Lost', undefined],
    ['SECOND_CHARGEBACK', 'Lost', true],
    ['SCHEME_ARBITRATION_LOST', 'Lost', true],
    ['PREARBITRATION_WON', 'Won', true],
  ])('after %s is of the second round: %s, %s', (event, disputeStatus, is_second_round) => {
    const fact = factOf(eventOf(event, { additionalData: { disputeStatus } }));
    expect(fact.kind === 'dispute' && fact.dispute.is_second_round).toBe(is_second_round);
  });

  it.each([
    ['names no payment', { originalReference: undefined }],
    ['has no amount', { amount: null }],
    ['has a fraction of a krona', { amount: { value: 150, currency: 'ISK' } }],
    ['has no readable amount', { amount: { value: '100', currency: 'EUR' } }],
  ])('that %s is ignored', (_, change) => {
    expect(factOf(eventOf('CHARGEBACK', change)).kind).toBe('ignored');
  });

  it('has an amount in ISO units', () => {
    const amount = { value: 15_000, currency: 'IDR' };
    expect(factOf(eventOf('CHARGEBACK', { amount }))).toMatchObject({
      dispute: { amount: 1_500_000, currency: 'IDR' },
    });
  });

  it.each([
    ['10.4', 'fraudulent'],
    [' 4855', 'product_not_received'],
    ['12.6.1', 'duplicate'],
    ['4863', 'unrecognized'],
    ['4853', 'general'],
    [undefined, 'general'],
  ])('with the code %s has the reason %s', (chargebackReasonCode, reason) => {
    expect(disputeReasonOf({ chargebackReasonCode })).toBe(reason);
  });
});

it.each([
  ['https://ca-test.adyen.com/reports/download/a.csv', 'report'],
  ['https://adyen.com.example.com/a.csv', 'ignored'],
  ['http://ca-test.adyen.com/a.csv', 'ignored'],
  ['no address', 'ignored'],
])('a report at %s is %s', (reason, kind) => {
  const name = 'settlement_detail_report_batch_7.csv';
  const fact = factOf({
    ...authorisation,
    eventCode: 'REPORT_AVAILABLE',
    pspReference: name,
    reason,
  });
  expect(fact).toMatchObject({
    key: `REPORT_AVAILABLE:${name}`,
    kind,
    ...(kind === 'report' && { name, url: reason }),
  });
});

describe('a message that changes nothing', () => {
  it.each([
    ['of an unknown event', eventOf('SOMETHING_NEW')],
    ['about fraud', eventOf('NOTIFICATION_OF_FRAUD')],
    ['that asks for information', eventOf('REQUEST_FOR_INFORMATION')],
    ['about the end of a hold', eventOf('EXPIRE')],
    ['of another merchant account', { ...authorisation, merchantAccountCode: 'Other' }],
    ['of a payment by another system', { ...authorisation, merchantReference: 'order 17' }],
    ['without a success', { ...authorisation, success: 'maybe' }],
    ['without a reference', { ...authorisation, pspReference: '' }],
  ])('%s is ignored', (_, item) => {
    expect(factOf(item).kind).toBe('ignored');
  });

  it('of the other mode is ignored', () => {
    const readLive = (mode: 'live' | 'sandbox', live: unknown) =>
      adyenNotifications.readFacts(notificationOf([authorisation], live), { ...account, mode })[0]
        ?.kind;
    expect([readLive('sandbox', 'true'), readLive('live', 'false')]).toEqual([
      'ignored',
      'ignored',
    ]);
    expect([readLive('live', 'true'), readLive('sandbox', true)]).toEqual([
      'authorisation',
      'ignored',
    ]);
  });

  it.each(['', '{', '[]', 'null', '{"notificationItems":7}', '\u0000'])(
    'with the body %j gives one ignored fact',
    (body) => {
      const facts = adyenNotifications.readFacts({ headers: {}, body: Buffer.from(body) }, account);
      expect(facts.map(({ kind }) => kind)).toEqual(['ignored']);
    },
  );
});

it('each item of a message is a fact', () => {
  const facts = factsOf(authorisation, eventOf('CAPTURE'), eventOf('CAPTURE_FAILED'));
  expect(facts.map(({ kind }) => kind)).toEqual(['authorisation', 'capture', 'capture_failed']);
  expect(new Set(facts.map(({ key }) => key)).size).toBe(3);
});

it('a message without a readable date is older than every other', () => {
  expect(factOf({ ...authorisation, eventDate: 'yesterday' }).at).toBe('1970-01-01T00:00:00.000Z');
});

const hostile = ['__proto__', ['05'], 7, true, null, { toString: 1 }, '\0', 'x'.repeat(5_000)];

it.each(
  ['AUTHORISATION', 'CAPTURE', 'CHARGEBACK', 'REPORT_AVAILABLE', 'CANCEL_OR_REFUND'].flatMap(
    (event) =>
      [...Object.keys(eventOf(event)), 'reason', 'additionalData'].map((member) => [event, member]),
  ),
)('%s with any value of %s gives a short fact', (event, member) => {
  for (const value of hostile) {
    const fact = factOf(eventOf(event as string, { [member as string]: value }));
    const text = JSON.stringify(fact);
    expect(text.length).toBeLessThan(600);
    expect(text).not.toContain('\\u0000');
  }
});

describe.skipIf(!hasAdyenSchemas)('with the official schemas of ../shared/data', () => {
  it.each([
    ['AuthorisationNotificationRequest', authorisation],
    ['CaptureNotificationRequest', eventOf('CAPTURE')],
    ['RefundCaptureFailedNotificationRequest', eventOf('CAPTURE_FAILED')],
    ['CancellationNotificationRequest', eventOf('CANCELLATION')],
    ['ModificationNotificationRequest', eventOf('TECHNICAL_CANCEL')],
    ['CancelOrRefundNotificationRequest', eventOf('CANCEL_OR_REFUND')],
    ['RefundNotificationRequest', eventOf('REFUND')],
    ['ChargebackNotificationRequest', eventOf('CHARGEBACK')],
  ])('the recorded messages fit %s', (schema, item) => {
    const { body } = notificationOf([item]);
    expect(adyenSchemaErrors('webhooks', schema, JSON.parse(body.toString()))).toEqual([]);
  });
});
