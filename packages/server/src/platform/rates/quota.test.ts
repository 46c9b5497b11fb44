import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createQuota, type QuotaPolicy } from './quota.ts';

/** A quota whose clock only the test moves. */
function createTestQuota(policy: QuotaPolicy, keys_max?: number) {
  const clock = { ms: 0 };
  const options = { ...policy, monotonic_ms: () => clock.ms, ...(keys_max && { keys_max }) };
  return { clock, ...createQuota(options) };
}

const policies = fc.record({
  requests: fc.integer({ min: 1, max: 500 }),
  seconds: fc.integer({ min: 1, max: 60 }),
});
/** Requests of three keys, each with its delay after the previous one. */
const arrivals = fc.array(
  fc.record({ key: fc.constantFrom('a', 'b', 'c'), after_ms: fc.nat({ max: 3_000 }) }),
  { maxLength: 200 },
);

describe('a quota', () => {
  it('never grants a key more than its burst plus its rate, in any time range', () => {
    fc.assert(
      fc.property(policies, arrivals, (policy, requests) => {
        const { clock, take } = createTestQuota(policy);
        const grantedTimes: number[] = [];
        for (const { after_ms } of requests) {
          clock.ms += after_ms;
          if (take('a').granted) grantedTimes.push(clock.ms);
        }
        grantedTimes.forEach((endTime, lastIndex) => {
          grantedTimes.slice(0, lastIndex + 1).forEach((startTime, firstIndex) => {
            const refilledCount =
              ((endTime - startTime) * policy.requests) / (policy.seconds * 1000);
            expect(lastIndex - firstIndex + 1).toBeLessThanOrEqual(
              policy.requests + refilledCount + 0.01,
            );
          });
        });
      }),
    );
  });

  it('grants its burst at once, and one more after exactly the announced wait', () => {
    fc.assert(
      fc.property(policies, fc.integer({ min: 0, max: 1e9 }), (policy, start) => {
        const { clock, take } = createTestQuota(policy);
        clock.ms = start;
        for (let left = policy.requests - 1; left >= 0; left--) {
          expect(take('a')).toMatchObject({ granted: true, remaining: left });
        }
        const refusal = take('a');
        expect(refusal).toMatchObject({ granted: false, remaining: 0 });
        clock.ms += refusal.wait_ms * 0.9;
        expect(take('a').granted).toBe(false);
        clock.ms += refusal.wait_ms * 0.1;
        expect([take('a').granted, take('a').granted]).toEqual([true, false]);
      }),
    );
  });

  it('is full again after the announced wait', () => {
    fc.assert(
      fc.property(policies, fc.integer({ min: 1, max: 20 }), (policy, count) => {
        const { clock, take } = createTestQuota(policy);
        let wait = 0;
        for (let taken = 0; taken < Math.min(count, policy.requests); taken++) {
          wait = take('a').wait_ms;
        }
        clock.ms += wait;
        expect(take('a').remaining).toBe(policy.requests - 1);
      }),
    );
  });

  it('treats each key independently', () => {
    fc.assert(
      fc.property(policies, arrivals, (policy, requests) => {
        const sharedQuota = createTestQuota(policy);
        const ownQuota = createTestQuota(policy);
        for (const { key, after_ms } of requests) {
          sharedQuota.clock.ms += after_ms;
          ownQuota.clock.ms = sharedQuota.clock.ms;
          const sharedResult = sharedQuota.take(key);
          if (key === 'a') expect(sharedResult).toEqual(ownQuota.take(key));
        }
      }),
    );
  });

  it('is unchanged after a request is returned', () => {
    const { take, release } = createTestQuota({ requests: 3, seconds: 3 });
    take('a');
    const resultBefore = take('a');
    release('a');
    expect(take('a')).toEqual(resultBefore);
    release('never seen');
    expect(take('never seen').remaining).toBe(2);
  });

  it('makes space by evicting only the key that was idle longest', () => {
    const { take } = createTestQuota({ requests: 1, seconds: 60 }, 2);
    for (const key of ['old', 'busy', 'old', 'new']) take(key);
    expect([take('old').granted, take('busy').granted]).toEqual([false, true]);
  });
});
