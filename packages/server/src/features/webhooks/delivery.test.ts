import { deliveryBodyOf } from '@florin/contract/protocol/webhook.ts';
import { describe, expect, it } from 'vitest';
import { instantText, type Micros, seconds } from '../../platform/time/clock.ts';
import {
  blockedDelivery,
  decideDelivery,
  decideUnsent,
  deliveryBody,
  type EndpointAnswer,
  RETRY_WAITS_S,
} from './delivery.ts';

const START: Micros = Date.UTC(2026, 10, 21) * 1000;
const FRESH = { fails_count: '0', attempts_count: '0', schedule_step: '0', first_try_at: null };
const attemptWith = (answer: EndpointAnswer) => ({
  answer,
  started_at: START,
  ended_at: START + seconds(1),
});
const dueAfter = (set: { due_at?: string | null }) =>
  (Date.parse(set.due_at ?? '') * 1000 - START - seconds(1)) / seconds(1);

describe('the outcome of an attempt', () => {
  it.each([200, 201, 202, 203, 204])('is a delivery for %i', (status) => {
    const { trigger, set } = decideDelivery(FRESH, attemptWith({ status }));
    expect(trigger).toBe('deliver');
    expect(set).toMatchObject({ due_at: null, delivered_at: '2026-11-21T00:00:01.000000Z' });
    expect(set).toMatchObject({ attempts_count: '1', fails_count: '0' });
  });

  it.each([400, 401, 403, 404, 405])('is final for %i', (status) => {
    const { trigger, set } = decideDelivery(FRESH, attemptWith({ status }));
    expect(trigger).toBe('stop');
    expect(set).toMatchObject({
      due_at: null,
      fails_count: '1',
      last_response_status: `${status}`,
    });
  });

  it.each([100, 205, 206, 301, 302, 307, 402, 406, 409, 410, 422, 429, 500, 502, 503, 599])(
    'is a retry for %i',
    (status) => {
      const { trigger, set } = decideDelivery(FRESH, attemptWith({ status }));
      expect([trigger, dueAfter(set)]).toEqual(['retry', 10]);
      expect(set).toMatchObject({ last_response_status: `${status}`, last_error: null });
    },
  );

  it.each(['timeout', 'connection_failed: ECONNREFUSED'])('is retried after %s', (error) => {
    const { trigger, set } = decideDelivery(FRESH, attemptWith({ error }));
    expect(trigger).toBe('retry');
    expect(set).toMatchObject({
      last_response_status: null,
      last_error: error,
      fails_count: '1',
    });
  });
});

describe('the schedule', () => {
  it('is 10 s, 5 min, 30 min, 1 h, 2 h, and then the delivery is given up', () => {
    const outcomes = [0, 1, 2, 3, 4, 5].map((step) => {
      const { trigger, set } = decideDelivery(
        { ...FRESH, schedule_step: `${step}` },
        attemptWith({ status: 500 }),
      );
      return [trigger, set.schedule_step, trigger === 'retry' ? dueAfter(set) : set.due_at];
    });
    expect(outcomes).toEqual([
      ['retry', '1', 10],
      ['retry', '2', 300],
      ['retry', '3', 1800],
      ['retry', '4', 3600],
      ['retry', '5', 7200],
      ['exhaust', '6', null],
    ]);
  });

  it('is shortened by the scale', () => {
    const { set } = decideDelivery(FRESH, attemptWith({ status: 500 }), 0.5);
    expect(dueAfter(set)).toBe(RETRY_WAITS_S[0] / 2);
  });

  it('keeps the time of the first attempt', () => {
    const firstTryAt = decideDelivery(FRESH, attemptWith({ status: 500 })).set.first_try_at ?? null;
    expect(firstTryAt).toBe('2026-11-21T00:00:00.000000Z');
    const secondOutcome = decideDelivery(
      { ...FRESH, first_try_at: firstTryAt },
      attemptWith({ status: 200 }),
    );
    expect(secondOutcome.set.first_try_at).toBe(firstTryAt);
  });
});

describe('a retry-after of the receiver', () => {
  const waitSecondsFor = (retry_after: string, step = 0, status = 429) => {
    const delivery = { ...FRESH, schedule_step: `${step}` };
    return dueAfter(decideDelivery(delivery, attemptWith({ status, retry_after }), 0.5).set);
  };
  it.each<[header: string, wait_s: number]>([
    ['120', 120],
    [' 120 ', 120],
    ['Sat, 21 Nov 2026 00:02:01 GMT', 120],
    ['86400', 86_400],
    ['999999', 86_400],
    ['Fri, 21 Nov 2036 00:00:00 GMT', 86_400],
    ['3', 5],
    ['Fri, 20 Nov 2026 00:00:00 GMT', 5],
    ['', 5],
    ['soon', 5],
    ['-5', 5],
    ['1e9', 5],
    ['99999999999999999999', 5],
    ['2026-11-22', 5],
  ])('%s is applied, at least the schedule and at most a day: %i s', (header, waitSeconds) => {
    expect(waitSecondsFor(header)).toBe(waitSeconds);
  });
  it('counts with any retried status, and at any step', () => {
    expect([429, 503, 500, 302].map((status) => waitSecondsFor('120', 0, status))).toEqual([
      120, 120, 120, 120,
    ]);
    expect([1, 2, 3, 4].map((step) => waitSecondsFor('300', step))).toEqual([
      300, 900, 1_800, 3_600,
    ]);
  });
  it('does not prolong the schedule', () => {
    const lastAttempt = { ...FRESH, schedule_step: '5' };
    const { trigger, set } = decideDelivery(
      lastAttempt,
      attemptWith({ status: 429, retry_after: '60' }),
    );
    expect([trigger, set.due_at]).toEqual(['exhaust', null]);
  });
});

describe('a claimed delivery whose subscription', () => {
  it('is active is sent', () => {
    expect(decideUnsent('active', START)).toBeUndefined();
  });
  it('is paused stays due and uses no attempt', () => {
    expect(decideUnsent('paused', START)).toEqual({
      set: { due_at: '2026-11-21T00:00:00.000000Z' },
    });
  });
  it('is archived stops', () => {
    expect(decideUnsent('archived', START)?.trigger).toBe('stop');
  });
});

describe('a blocked delivery is checked again', () => {
  const waits = (first_s: number | null) =>
    Date.parse(
      blockedDelivery(first_s === null ? null : instantText(START + seconds(first_s)), START).set
        .due_at ?? '',
    ) -
    START / 1_000;
  it.each([
    [7, 7_000],
    [30, 30_000],
    [7_200, 30_000],
    [-5, 0],
    [null, 30_000],
  ])('when the previous one is due (%s s), within half a minute', (dueSeconds, wait_ms) => {
    expect(waits(dueSeconds)).toBe(wait_ms);
  });
});

it('the body is the event with its stored data, byte for byte', () => {
  const data =
    '{"id": "r1", "type": "payment_demands", "attributes": {"description": "5 € \\"x\\""}}';
  const body = deliveryBody({
    merchant_id: 'm1',
    mode: 'sandbox',
    id: 'e1',
    resource_type: 'transaction.payment_demands',
    resource_id: 'r1',
    slug: 'succeeded',
    sequence: '2',
    data,
    created_at: '2026-11-21T00:00:00.000000Z',
  });
  expect(body).toContain(`"data":${data}`);
  expect(deliveryBodyOf(JSON.parse(body).data)).toBe(body);
  expect(JSON.parse(body)).toEqual({
    data: {
      id: 'e1',
      type: 'events',
      attributes: {
        mode: 'sandbox',
        resource_type: 'transaction.payment_demands',
        resource_id: 'r1',
        slug: 'succeeded',
        sequence: 2,
        created_at: '2026-11-21T00:00:00.000000Z',
        data: JSON.parse(data),
      },
      relationships: { merchant: { data: { type: 'merchants', id: 'm1' } } },
    },
  });
});
