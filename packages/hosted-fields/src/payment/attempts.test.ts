import { ABANDONED } from '@florin/contract/protocol/frame.ts';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createAttempts } from './attempts.ts';
import type { Outcome } from './outcome.ts';

const verified: Outcome = { name: 'payment_method_verified', detail: {} };
const failed: Outcome = { name: 'payment_method_failed', detail: { code: 'challenge_failed' } };
const abandoned: Outcome = { name: 'payment_method_failed', detail: { code: ABANDONED } };
const GRACE_MS = 5_000;

/** Creates attempts and records their outcomes. The test supplies the responses to their verifications. */
function stand() {
  const outcomes: (readonly [name: string, id: number | undefined])[] = [];
  const answers: ((outcome: Outcome) => void)[] = [];
  const truths: ((outcome: Outcome | undefined) => void)[] = [];
  const attempts = createAttempts({
    verify: () => new Promise((resolve) => answers.push(resolve)),
    abandon: () => new Promise((resolve) => truths.push(resolve)),
    onOutcome: ({ name }, id) => outcomes.push([name, id]),
    grace_ms: GRACE_MS,
  });
  return {
    attempts,
    outcomes,
    answers,
    answer: () => answers.at(-1)?.(verified),
    /** The server's response to an abandonment. */
    truth: (outcome?: Outcome) => truths.at(-1)?.(outcome),
  };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('an attempt', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => void vi.useRealTimers();
  });

  it('answers the request that began it, once', async () => {
    const { attempts, outcomes, answer } = stand();
    attempts.start(1);
    answer();
    await pass(GRACE_MS * 2);
    expect(outcomes).toEqual([['payment_method_verified', 1]]);
  });

  it('begun by the form answers a page that asks meanwhile, and nobody twice', async () => {
    const { attempts, outcomes, answers, answer } = stand();
    attempts.start();
    attempts.start(7);
    answer();
    await pass(0);
    expect([outcomes, answers.length]).toEqual([[['payment_method_verified', 7]], 1]);
  });

  it('that is abandoned reports its true outcome if it arrives within the grace period', async () => {
    const { attempts, outcomes, answer } = stand();
    attempts.start(1);
    attempts.cancel(1);
    await pass(GRACE_MS - 1);
    answer();
    await pass(GRACE_MS * 2);
    expect(outcomes).toEqual([['payment_method_verified', 1]]);
  });

  it('that is abandoned ends in a timeout after the grace period, and a late answer changes nothing', async () => {
    const { attempts, outcomes, answer } = stand();
    attempts.start(1);
    attempts.cancel(1);
    await pass(GRACE_MS);
    answer();
    await pass(GRACE_MS);
    expect(outcomes).toEqual([['payment_timeout', 1]]);
  });

  it.each([
    ['is abandoned there', abandoned, 'payment_timeout'],
    ['was too far for that', verified, 'payment_method_verified'],
    ['had failed', failed, 'payment_method_failed'],
  ])("that %s ends with the server's answer at once", async (_what, outcome, name) => {
    const { attempts, outcomes, answer, truth } = stand();
    attempts.start(1);
    attempts.cancel(1);
    truth(outcome);
    await pass(0);
    expect(outcomes).toEqual([[name, 1]]);
    answer();
    await pass(GRACE_MS * 2);
    expect(outcomes).toHaveLength(1);
  });

  it('whose own answer reports the abandonment ends in a timeout', async () => {
    const { attempts, outcomes, answers } = stand();
    attempts.start(1);
    attempts.cancel(1);
    answers.at(-1)?.(abandoned);
    await pass(0);
    expect(outcomes).toEqual([['payment_timeout', 1]]);
  });

  it('waits for its grace period if the server cannot be reached', async () => {
    const { attempts, outcomes, truth } = stand();
    attempts.start(1);
    attempts.cancel(1);
    truth(undefined);
    await pass(GRACE_MS - 1);
    expect(outcomes).toEqual([]);
    await pass(1);
    expect(outcomes).toEqual([['payment_timeout', 1]]);
  });

  it('is not ended by the abandonment of another one', async () => {
    const { attempts, outcomes, answer } = stand();
    attempts.start(1);
    attempts.cancel(1);
    answer();
    await pass(0);
    attempts.start(2);
    attempts.cancel(1);
    await pass(GRACE_MS * 2);
    expect(outcomes).toEqual([['payment_method_verified', 1]]);
  });

  it('has exactly one outcome however answers, requests and abandonments cross', async () => {
    const step = fc.oneof(
      fc.constant('start' as const),
      fc.constant('cancel' as const),
      fc.constant('answer' as const),
      fc.constantFrom(abandoned, verified, failed),
      fc.integer({ min: 0, max: GRACE_MS + 1 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { attempts, outcomes, answers, answer, truth } = stand();
        let id = 0;
        for (const what of steps) {
          if (what === 'start') attempts.start(++id);
          if (what === 'cancel') attempts.cancel(id);
          if (what === 'answer') answer();
          if (typeof what === 'object') truth(what);
          await pass(typeof what === 'number' ? what : 0);
        }
        attempts.cancel(id);
        await pass(GRACE_MS);
        expect(outcomes).toHaveLength(answers.length);
        expect(new Set(outcomes.map(([, asked]) => asked)).size).toBe(outcomes.length);
      }),
      { numRuns: 200 },
    );
  });
});
