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
function startAttempts() {
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

const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('an attempt', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => void vi.useRealTimers();
  });

  it('answers the request that began it, once', async () => {
    const { attempts, outcomes, answer } = startAttempts();
    attempts.start(1);
    answer();
    await advance(GRACE_MS * 2);
    expect(outcomes).toEqual([['payment_method_verified', 1]]);
  });

  it('begun by the form answers a page that asks meanwhile, and nobody twice', async () => {
    const { attempts, outcomes, answers, answer } = startAttempts();
    attempts.start();
    attempts.start(7);
    answer();
    await advance(0);
    expect([outcomes, answers.length]).toEqual([[['payment_method_verified', 7]], 1]);
  });

  it('that is abandoned reports its true outcome if it arrives within the grace period', async () => {
    const { attempts, outcomes, answer } = startAttempts();
    attempts.start(1);
    attempts.cancel(1);
    await advance(GRACE_MS - 1);
    answer();
    await advance(GRACE_MS * 2);
    expect(outcomes).toEqual([['payment_method_verified', 1]]);
  });

  it('that is abandoned ends in a timeout after the grace period, and a late answer changes nothing', async () => {
    const { attempts, outcomes, answer } = startAttempts();
    attempts.start(1);
    attempts.cancel(1);
    await advance(GRACE_MS);
    answer();
    await advance(GRACE_MS);
    expect(outcomes).toEqual([['payment_timeout', 1]]);
  });

  it.each([
    ['is abandoned there', abandoned, 'payment_timeout'],
    ['was too far for that', verified, 'payment_method_verified'],
    ['had failed', failed, 'payment_method_failed'],
  ])("that %s ends with the server's answer at once", async (_what, outcome, name) => {
    const { attempts, outcomes, answer, truth } = startAttempts();
    attempts.start(1);
    attempts.cancel(1);
    truth(outcome);
    await advance(0);
    expect(outcomes).toEqual([[name, 1]]);
    answer();
    await advance(GRACE_MS * 2);
    expect(outcomes).toHaveLength(1);
  });

  it('whose own answer reports the abandonment ends in a timeout', async () => {
    const { attempts, outcomes, answers } = startAttempts();
    attempts.start(1);
    attempts.cancel(1);
    answers.at(-1)?.(abandoned);
    await advance(0);
    expect(outcomes).toEqual([['payment_timeout', 1]]);
  });

  it('waits for its grace period if the server cannot be reached', async () => {
    const { attempts, outcomes, truth } = startAttempts();
    attempts.start(1);
    attempts.cancel(1);
    truth(undefined);
    await advance(GRACE_MS - 1);
    expect(outcomes).toEqual([]);
    await advance(1);
    expect(outcomes).toEqual([['payment_timeout', 1]]);
  });

  it('is not ended by the abandonment of another one', async () => {
    const { attempts, outcomes, answer } = startAttempts();
    attempts.start(1);
    attempts.cancel(1);
    answer();
    await advance(0);
    attempts.start(2);
    attempts.cancel(1);
    await advance(GRACE_MS * 2);
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
        const { attempts, outcomes, answers, answer, truth } = startAttempts();
        let id = 0;
        for (const step of steps) {
          if (step === 'start') attempts.start(++id);
          if (step === 'cancel') attempts.cancel(id);
          if (step === 'answer') answer();
          if (typeof step === 'object') truth(step);
          await advance(typeof step === 'number' ? step : 0);
        }
        attempts.cancel(id);
        await advance(GRACE_MS);
        expect(outcomes).toHaveLength(answers.length);
        expect(new Set(outcomes.map(([, outcome]) => outcome)).size).toBe(outcomes.length);
      }),
      { numRuns: 200 },
    );
  });
});
