import { describe, expect, it } from 'vitest';
import { type Micros, seconds } from '../../kernel/clock.ts';
import {
  type Answer,
  decideDelivery,
  decideUnsent,
  deliveryBody,
  RETRY_WAITS_S,
} from './delivery.ts';

const START: Micros = Date.UTC(2026, 10, 21) * 1000;
const FRESH = { fails_count: '0', first_try_at: null };
const attempt = (answer: Answer) => ({ answer, started_at: START, ended_at: START + seconds(1) });
const dueAfter = (set: { due_at?: string | null }) =>
  (Date.parse(set.due_at ?? '') * 1000 - START - seconds(1)) / seconds(1);

describe('the outcome of an attempt', () => {
  it.each([200, 201, 202, 203, 204])('is delivered for %i', (status) => {
    const { trigger, set } = decideDelivery(FRESH, attempt({ status }));
    expect(trigger).toBe('deliver');
    expect(set).toMatchObject({ due_at: null, delivered_at: '2026-11-21T00:00:01.000000Z' });
    expect(set).not.toHaveProperty('fails_count');
  });

  it.each([400, 401, 403, 404, 405])('is the end for %i', (status) => {
    const { trigger, set } = decideDelivery(FRESH, attempt({ status }));
    expect(trigger).toBe('stop');
    expect(set).toMatchObject({
      due_at: null,
      fails_count: '1',
      last_response_status: `${status}`,
    });
  });

  it.each([100, 205, 206, 301, 302, 307, 402, 406, 409, 410, 422, 429, 500, 502, 503, 599])(
    'is another attempt for %i',
    (status) => {
      const { trigger, set } = decideDelivery(FRESH, attempt({ status }));
      expect([trigger, dueAfter(set)]).toEqual(['retry', 10]);
      expect(set).toMatchObject({ last_response_status: `${status}`, last_error: null });
    },
  );

  it.each(['timeout', 'connection_failed: ECONNREFUSED'])(
    'is another attempt after %s',
    (error) => {
      const { trigger, set } = decideDelivery(FRESH, attempt({ error }));
      expect(trigger).toBe('retry');
      expect(set).toMatchObject({
        last_response_status: null,
        last_error: error,
        fails_count: '1',
      });
    },
  );
});

describe('the schedule', () => {
  it('is 10 s, 5 min, 30 min, 1 h, 2 h, and then it is given up', () => {
    const outcomes = [0, 1, 2, 3, 4, 5].map((fails) => {
      const { trigger, set } = decideDelivery(
        { ...FRESH, fails_count: `${fails}` },
        attempt({ status: 500 }),
      );
      return [trigger, set.fails_count, trigger === 'retry' ? dueAfter(set) : set.due_at];
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
    const { set } = decideDelivery(FRESH, attempt({ status: 500 }), 0.5);
    expect(dueAfter(set)).toBe(RETRY_WAITS_S[0] / 2);
  });

  it('keeps the time of the first attempt', () => {
    const first = decideDelivery(FRESH, attempt({ status: 500 })).set.first_try_at ?? null;
    expect(first).toBe('2026-11-21T00:00:00.000000Z');
    const again = decideDelivery(
      { fails_count: '1', first_try_at: first },
      attempt({ status: 200 }),
    );
    expect(again.set.first_try_at).toBe(first);
  });
});

describe('a delivery whose subscription', () => {
  it('is active is sent', () => {
    expect(decideUnsent('active', START)).toBeUndefined();
  });
  it('is paused stays pending and burns no attempt', () => {
    expect(decideUnsent('paused', START)).toEqual({
      set: { due_at: '2026-11-21T00:05:00.000000Z' },
    });
  });
  it('is archived stops', () => {
    expect(decideUnsent('archived', START)?.trigger).toBe('stop');
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
    data,
    created_at: '2026-11-21T00:00:00.000000Z',
  });
  expect(body).toContain(`"data":${data}`);
  expect(JSON.parse(body)).toEqual({
    data: {
      id: 'e1',
      type: 'events',
      attributes: {
        mode: 'sandbox',
        resource_type: 'transaction.payment_demands',
        resource_id: 'r1',
        slug: 'succeeded',
        created_at: '2026-11-21T00:00:00.000000Z',
        data: JSON.parse(data),
      },
      relationships: { merchant: { data: { type: 'merchants', id: 'm1' } } },
    },
  });
});
