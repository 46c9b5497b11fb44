import type { StatusAnswer } from '@florin/contract/protocol/frame.ts';
import { describe, expect, it } from 'vitest';
import { awaitOutcome } from './outcome.ts';

const detail = { payment_demand: 'p' };

/** A server with these responses in order, then no response. Each wait takes a second. */
function server(...answers: (StatusAnswer | undefined)[]) {
  let now = 0;
  let requestCount = 0;
  return {
    asked: () => requestCount,
    options: {
      onSlow: () => {},
      now: () => now,
      wait: async (ms: number) => {
        now += ms;
      },
      status: async () => {
        requestCount++;
        return answers.length > 0 ? answers.shift() : ({ status: 'waiting', detail } as const);
      },
    },
  };
}

const neverAborted = new AbortController().signal;

describe('awaitOutcome', () => {
  it('returns the approval', async () => {
    const { options } = server({ status: 'waiting', detail }, { status: 'approved', detail });
    expect(await awaitOutcome(options, neverAborted)).toEqual({ name: 'payment_approved', detail });
  });

  it('returns the approval of a subscription by its own name', async () => {
    const approved = { status: 'approved', detail: { payment_subscription: 's' } } as const;
    const { options } = server(approved);
    expect(await awaitOutcome(options, neverAborted)).toEqual({
      name: 'subscription_approved',
      detail: approved.detail,
    });
  });

  it('retries after a missing answer, and returns the failure', async () => {
    const failed = { ...detail, code: 'lost_card' };
    const { options } = server(undefined, { status: 'failed', detail: failed });
    expect(await awaitOutcome(options, neverAborted)).toEqual({
      name: 'payment_failed',
      detail: failed,
    });
  });

  it('asks once a second and gives up after ten minutes', async () => {
    const { options, asked } = server();
    expect(await awaitOutcome(options, neverAborted)).toMatchObject({ name: 'payment_timeout' });
    expect(asked()).toBe(600);
  });

  it('says once after twenty seconds that the outcome is slow, and asks on', async () => {
    const waiting = Array.from({ length: 30 }, () => ({ status: 'waiting', detail }) as const);
    const { options, asked } = server(...waiting, { status: 'approved', detail });
    const slow: number[] = [];
    const onSlow = () => slow.push(options.now());
    const outcome = await awaitOutcome({ ...options, onSlow }, neverAborted);
    expect([outcome?.name, asked(), slow]).toEqual(['payment_approved', 31, [20_000]]);
  });

  it('returns nothing after an abort, even if an answer came', async () => {
    const controller = new AbortController();
    const { options } = server();
    const status = async () => {
      controller.abort();
      return { status: 'approved', detail } as const;
    };
    expect(await awaitOutcome({ ...options, status }, controller.signal)).toBeUndefined();
  });
});
