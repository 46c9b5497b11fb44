import { describe, expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import {
  decideEndpoint,
  type EndpointHealth,
  FAILS_IN_ROW_MAX,
  HEALTHY,
  healthOf,
  REOPENED,
  UNACCEPTED_MIN,
} from './breaker.ts';

const NOW: Micros = Date.UTC(2026, 10, 21) * 1_000;
const activeRow: Row = { ...HEALTHY, status: 'active' };
const timeIn = (wait_s: number) => instantText(NOW + seconds(wait_s));
const findingsOf = (...healths: EndpointHealth[]) => healths.map((health) => ({ health, at: NOW }));
const failures = (count: number) => findingsOf(...Array<EndpointHealth>(count).fill('failing'));
const healthAfter = (row: Row, ...args: [ReturnType<typeof findingsOf>, Micros?]) => ({
  ...row,
  ...decideEndpoint(row, args[0], args[1] ?? NOW)?.set,
});

it.each<[EndpointHealth, number[]]>([
  ['accepting', [200, 201, 202, 203, 204]],
  ['alive', [301, 302, 307, 308, 400, 401, 403, 404, 405, 409, 410, 422, 205, 100]],
  ['failing', [429, 500, 502, 503, 504, 599]],
])('an endpoint that answers %j is %s', (health, statuses) => {
  expect(new Set(statuses.map((status) => healthOf({ status })))).toEqual(new Set([health]));
});

it('an endpoint fails if it does not respond', () => {
  expect(healthOf({ error: 'timeout' })).toBe('failing');
});

describe('an endpoint', () => {
  it('that accepts its deliveries is not updated', () => {
    expect(decideEndpoint(activeRow, findingsOf('accepting', 'accepting'), NOW)).toBeUndefined();
  });

  it('is suspended for 30 s after so many consecutive failures', () => {
    const row = healthAfter(activeRow, failures(FAILS_IN_ROW_MAX - 1));
    expect(row).toMatchObject({ failing_since: timeIn(0), suspended_until: null });
    expect(healthAfter(row, failures(1)).suspended_until).toBe(timeIn(30));
  });

  it('whose suspension was ended manually is suspended again by one more failure', () => {
    const row = { ...healthAfter(activeRow, failures(FAILS_IN_ROW_MAX)), ...REOPENED };
    expect(row.suspended_until).toBeNull();
    expect(healthAfter(row, failures(1)).suspended_until).toBe(timeIn(30));
  });

  it('starts again after a response in between', () => {
    const healthBetween = (health: EndpointHealth) =>
      healthAfter(activeRow, [
        ...failures(FAILS_IN_ROW_MAX - 1),
        { health, at: NOW + 1 },
        { health: 'failing', at: NOW + 2 },
      ]);
    expect(healthBetween('accepting')).toMatchObject({ fails_in_row: '1', suspended_until: null });
    expect(healthBetween('alive')).toMatchObject({ fails_in_row: '1', failing_since: timeIn(0) });
  });

  it('is suspended once by all concurrent failures', () => {
    const row = healthAfter(activeRow, failures(50));
    expect(row).toMatchObject({ fails_in_row: `${FAILS_IN_ROW_MAX}`, suspended_until: timeIn(30) });
    expect(decideEndpoint(row, failures(50), NOW + seconds(29))).toBeUndefined();
  });

  it('is suspended twice as long after each failed probe, up to half an hour', () => {
    let row = healthAfter(activeRow, failures(FAILS_IN_ROW_MAX));
    const waits = Array.from({ length: 9 }, () => {
      const probe_until = microsOf(row.suspended_until as string) + seconds(20);
      row = { ...row, suspended_until: instantText(probe_until) };
      const now = probe_until - seconds(10);
      const set = decideEndpoint(row, [{ health: 'failing', at: now, probe_until }], now)?.set;
      row = { ...row, ...set };
      return (microsOf(row.suspended_until as string) - now) / seconds(1);
    });
    expect(waits).toEqual([60, 120, 240, 480, 960, 1800, 1800, 1800, 1800]);
  });

  it.each<EndpointHealth>(['accepting', 'alive'])(
    'is no longer suspended once it is %s',
    (health) => {
      const row = healthAfter(activeRow, failures(FAILS_IN_ROW_MAX));
      expect(healthAfter(row, findingsOf(health))).toMatchObject({
        suspended_until: null,
        fails_in_row: '0',
      });
    },
  );

  it('stops failing with an accepted delivery, not with a refused one', () => {
    const row = healthAfter(activeRow, failures(1));
    expect(healthAfter(row, findingsOf('alive')).failing_since).toBe(timeIn(0));
    expect(healthAfter(row, findingsOf('accepting')).failing_since).toBeNull();
  });
});

describe('a subscription', () => {
  const since = (hours: number, untakenCount = UNACCEPTED_MIN - 1): Row => ({
    ...activeRow,
    failing_since: timeIn(-hours * 3_600),
    untaken_count: `${untakenCount}`,
  });

  it('is paused after five days without an accepted delivery', () => {
    expect(decideEndpoint(since(119.9), failures(1), NOW)?.trigger).toBeUndefined();
    expect(decideEndpoint(since(120), failures(1), NOW)).toMatchObject({
      trigger: 'pause',
      set: { paused_reason: 'failing', failing_since: timeIn(-120 * 3_600) },
    });
    expect(decideEndpoint(since(120), findingsOf('alive'), NOW)?.trigger).toBe('pause');
  });

  it('is not paused by a few attempts, however many days apart', () => {
    let row: Row = activeRow;
    for (let attempt = 1; attempt < UNACCEPTED_MIN; attempt++) {
      const now = NOW + seconds(attempt * 5 * 86_400);
      const findings = [
        { health: attempt % 2 ? ('failing' as const) : ('alive' as const), at: now },
      ];
      const change = decideEndpoint(row, findings, now);
      expect(change?.trigger).toBeUndefined();
      row = { ...row, ...change?.set };
    }
    expect(decideEndpoint(row, failures(1), NOW + seconds(86_400 * 50))?.trigger).toBe('pause');
  });

  it('is not paused by an old failure when it accepts a delivery', () => {
    expect(decideEndpoint(since(500), findingsOf('accepting'), NOW)).toEqual({ set: HEALTHY });
  });

  it('is paused once', () => {
    const pausedRow = { ...since(200), status: 'paused' };
    expect(decideEndpoint(pausedRow, failures(1), NOW)?.trigger).toBeUndefined();
  });
});
