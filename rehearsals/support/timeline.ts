import { setTimeout as sleep } from 'node:timers/promises';
import { succeeded, type TimedAnswer } from './answers.ts';
import { longestGap } from './figures.ts';
import type { Answer, Payer } from './payer.ts';

const POLL_MS = 50;
const OUTCOME_LIMIT_MS = 120_000;

/** Figures of a part of the load. */
export interface Part {
  readonly payments: number;
  /** Requests that began in this part, and ended without an answer or with an error. */
  readonly failures: readonly string[];
  /** Longest time without an outcome of any payment. */
  readonly pause_ms: number;
}

export interface OpenPart {
  end(): void;
  /** Complete when all requests that began in this part have ended. */
  figures(): Part;
}

/** Times of `performance.now()`. */
export interface PaymentTimes {
  readonly began: number;
  readonly at: number;
}

/** Outcomes and failures of a load, with their times. */
export interface Timeline {
  readonly onAnswer: (answer: Answer) => void;
  /** Notes the failure of a request that the payer did not send. */
  readonly onFailure: (text: string, began: number) => void;
  readonly answers: readonly TimedAnswer[];
  /** Payments with an outcome. */
  readonly ended: readonly PaymentTimes[];
  /** The same payer, whose outcomes are noted. */
  watch(payer: Payer): Payer;
  begin(): OpenPart;
  /** Waits for the outcome of a payment, and returns how long that took. */
  nextOutcome(): Promise<number>;
}

export function createTimeline(): Timeline {
  const answers: TimedAnswer[] = [];
  const ended: PaymentTimes[] = [];
  const failures: { readonly text: string; readonly began: number }[] = [];
  return {
    answers,
    ended,
    onAnswer(answer) {
      const timed = { ...answer, at: performance.now() };
      answers.push(timed);
      const { method, status, duration_ms, at } = timed;
      if (!succeeded(timed))
        failures.push({ text: `${method} ${status}`, began: at - duration_ms });
    },
    onFailure: (text, began) => void failures.push({ text, began }),
    watch: (payer) => ({
      ...payer,
      async pay(...order) {
        const began = performance.now();
        const payment = await payer.pay(...order);
        ended.push({ began, at: performance.now() });
        return payment;
      },
    }),
    begin() {
      const from = performance.now();
      let until = Number.POSITIVE_INFINITY;
      const isInside = (time: number): boolean => from <= time && time < until;
      return {
        end() {
          until = performance.now();
        },
        figures() {
          const times = ended.map(({ at }) => at).filter(isInside);
          const own = failures.filter(({ began }) => isInside(began));
          return {
            payments: times.length,
            failures: own.map(({ text }) => text),
            pause_ms: longestGap([from, ...times, until], from, until),
          };
        },
      };
    },
    async nextOutcome() {
      const [began, before] = [performance.now(), ended.length];
      while (ended.length === before) {
        if (performance.now() - began > OUTCOME_LIMIT_MS)
          throw new Error(`no payment ended for ${OUTCOME_LIMIT_MS} ms`);
        await sleep(POLL_MS);
      }
      return performance.now() - began;
    },
  };
}
