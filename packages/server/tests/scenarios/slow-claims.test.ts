import { expect, it } from 'vitest';
import { claimDueDemands } from '../../src/features/attempts/claim-demands.ts';
import type { Db } from '../../src/platform/database/db.ts';
import type { Services } from '../../src/services.ts';

const TIMEOUT = '57014';
const DEADLOCK = '40P01';
const LIMIT = 8;

/** Rows of each claim of a loop, and the demands that were deferred, while claims with the demand `slow` fail. */
function createLoop(dueIds: string[], code: string) {
  const claimed: number[] = [];
  const deferred: unknown[] = [];
  const services = {
    clock: { now: () => 0 },
    logger: { error: ({ demand }: { readonly demand: unknown }) => deferred.push(demand) },
    db: { transaction: (work: (tx: Db) => unknown) => work({ query: async () => [] }) },
  } as unknown as Services;
  const rules = {
    table: 'payment_demands',
    async lock(_tx: Db, { limit }: { readonly limit: number }) {
      const rows = dueIds.slice(0, limit).map((id) => ({ merchant_id: 'm', id }));
      claimed.push(rows.length);
      return rows;
    },
    async submit(_tx: Db, rows: readonly unknown[]) {
      const ids = rows.map((row) => (row as { readonly id: string }).id);
      if (ids.includes('slow')) throw Object.assign(new Error('canceled'), { code });
      return ids;
    },
  } as const;
  const step = () =>
    claimDueDemands(services, rules, { limit: LIMIT, per_merchant: LIMIT, in_flight: new Map() })
      .then(({ messages }) => messages.length)
      .catch(() => 'failed');
  return { claimed, deferred, step, dueIds };
}

const namesOf = (count: number): string[] => Array.from({ length: count }, (_, at) => `d${at}`);

async function stepTimes<T>(count: number, step: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let at = 0; at < count; at++) results.push(await step());
  return results;
}

it('a demand that times out is isolated by smaller claims and deferred, and the size grows back', async () => {
  const loop = createLoop(['slow', ...namesOf(LIMIT)], TIMEOUT);
  expect(await stepTimes(4, loop.step)).toEqual(['failed', 'failed', 'failed', 0]);
  expect([loop.claimed, loop.deferred]).toEqual([[8, 4, 2, 1], ['slow']]);
  loop.dueIds.shift();
  expect(await stepTimes(5, loop.step)).toEqual([1, 2, 4, 8, 8]);
});

it('a smaller claim that leaves the slow demand out succeeds', async () => {
  const loop = createLoop([...namesOf(4), 'slow'], TIMEOUT);
  expect(await stepTimes(2, loop.step)).toEqual(['failed', 2]);
  expect(loop.deferred).toEqual([]);
});

it('other passing errors change neither the size nor the demand', async () => {
  const loop = createLoop(['slow', ...namesOf(LIMIT)], DEADLOCK);
  expect(await stepTimes(3, loop.step)).toEqual(['failed', 'failed', 'failed']);
  loop.dueIds.splice(1);
  expect(await loop.step()).toBe('failed');
  expect([loop.claimed, loop.deferred]).toEqual([[8, 8, 8, 1], []]);
});
