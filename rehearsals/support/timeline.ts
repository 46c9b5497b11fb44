import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Payer } from './payer.ts';

const POLL_MS = 50;
const OUTCOME_LIMIT_MS = 120_000;

/** Figures of a part of the load. */
export interface Part {
  readonly payments: number;
  /** Requests without an answer or with an error. */
  readonly failures: readonly string[];
  /** Longest time without an outcome of any payment. */
  readonly pause_ms: number;
}

/** Outcomes and failures of a load, with their times. */
export interface Timeline {
  readonly onAnswer: (answer: Answer) => void;
  /** Notes a failure that is no answer of the payer. */
  readonly onFailure: (text: string) => void;
  /** The same payer, whose outcomes are noted. */
  watch(payer: Payer): Payer;
  /** Begins a part of the load. The returned function ends it. */
  begin(): () => Part;
  /** Waits for the outcome of a payment, and returns how long that took. */
  nextOutcome(): Promise<number>;
}

export function createTimeline(): Timeline {
  const outcomes: number[] = [];
  const failures: string[] = [];
  return {
    onAnswer({ method, status }) {
      if (typeof status !== 'number' || status >= 400) failures.push(`${method} ${status}`);
    },
    onFailure: (text) => void failures.push(text),
    watch: (payer) => ({
      ...payer,
      async pay(...order) {
        const payment = await payer.pay(...order);
        outcomes.push(performance.now());
        return payment;
      },
    }),
    begin() {
      const began = performance.now();
      const [outcomesBefore, failuresBefore] = [outcomes.length, failures.length];
      return () => {
        const times = outcomes.slice(outcomesBefore);
        return {
          payments: times.length,
          failures: failures.slice(failuresBefore),
          pause_ms: longestGap([began, ...times, performance.now()]),
        };
      };
    },
    async nextOutcome() {
      const [began, before] = [performance.now(), outcomes.length];
      while (outcomes.length === before) {
        if (performance.now() - began > OUTCOME_LIMIT_MS)
          throw new Error(`no payment ended for ${OUTCOME_LIMIT_MS} ms`);
        await sleep(POLL_MS);
      }
      return performance.now() - began;
    },
  };
}

const longestGap = (times: readonly number[]): number =>
  Math.max(...times.slice(1).map((time, at) => time - (times[at] as number)));
