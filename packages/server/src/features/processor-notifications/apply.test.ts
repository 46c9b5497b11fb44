import { expect, it } from 'vitest';
import { instantText, seconds } from '../../platform/time/clock.ts';
import type { NotificationFact } from '../../processors/port/notifications.ts';
import { HOLD_SECONDS } from '../payments/approve.ts';
import {
  decideNotification,
  firstOutcomes,
  UNMATCHED_SECONDS,
  WAITING_DISPUTE_SECONDS,
} from './apply.ts';
import type { FactEffect } from './apply-fact.ts';

const received = 1_795_232_640_000_000;
type Effect = FactEffect | 'failed';

const decide = (
  effects: readonly Effect[],
  {
    tries = 0,
    age_s = 0,
    kind = 'capture',
  }: {
    readonly tries?: number;
    readonly age_s?: number;
    readonly kind?: NotificationFact['kind'];
  } = {},
) => {
  const now = received + seconds(age_s);
  const row = { tries: String(tries), received_at: instantText(received) };
  const outcomes = effects.map((effect) => ({ kind, effect }));
  const { status, due_at } = decideNotification(row, outcomes, now);
  return [status, due_at === null ? null : (due_at - now) / seconds(1)];
};

it.each<[readonly Effect[], string]>([
  [['applied'], 'applied'],
  [['ignored'], 'ignored'],
  [[], 'ignored'],
  [['applied', 'ignored'], 'applied'],
  [['applied', 'conflict'], 'conflict'],
])('facts with the effects %j are done: %s', (effects, status) => {
  expect(decide(effects)).toEqual([status, null]);
});

it.each<[readonly Effect[], string]>([
  [['unmatched'], 'unmatched'],
  [['waiting', 'applied'], 'unmatched'],
  [['failed', 'unmatched'], 'failed'],
  [['unmatched', 'conflict'], 'conflict'],
])('facts with the effects %j are tried for a day, and then %s', (effects, status) => {
  expect([0, 1, 2, 3, 4, 9].map((tries) => decide(effects, { tries }))).toEqual(
    [5, 30, 120, 600, 3_600, 3_600].map((wait) => ['received', wait]),
  );
  expect(decide(effects, { tries: 20, age_s: UNMATCHED_SECONDS - 1 })[0]).toBe('received');
  expect(decide(effects, { tries: 20, age_s: UNMATCHED_SECONDS })).toEqual([status, null]);
});

it('a replayed notification is tried for a day after its replay', () => {
  const now = received + seconds(UNMATCHED_SECONDS * 9);
  const row = { tries: '0', received_at: instantText(received), replayed_at: instantText(now) };
  expect(decideNotification(row, [{ kind: 'capture', effect: 'unmatched' }], now).status).toBe(
    'received',
  );
});

it('a dispute is tried every minute, for longer than the hold of its payment lasts', () => {
  const given = { tries: 20, kind: 'dispute' } as const;
  const within = decide(['waiting'], { ...given, age_s: HOLD_SECONDS + 3_600 });
  expect(within).toEqual(['received', 60]);
  const after = decide(['waiting'], { ...given, age_s: WAITING_DISPUTE_SECONDS });
  expect(after).toEqual(['unmatched', null]);
  expect(decide(['unmatched'], { ...given, age_s: UNMATCHED_SECONDS })[0]).toBe('unmatched');
});

it('a notification of an account that this server does not have is tried again', () => {
  const effects = firstOutcomes(undefined).map(({ effect }) => effect);
  expect(decide(effects)).toEqual(['received', 5]);
});
