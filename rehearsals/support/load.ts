import { setTimeout as sleep } from 'node:timers/promises';
import type { Payer, Resource } from './payer.ts';

const AMOUNT_MIN_CENTS = 1_000;

export interface Load {
  readonly payments: readonly Resource[];
  readonly seconds: number;
}

/** Takes payments with several workers at once. Amounts differ, so that a mixed-up payment shows. */
export async function takePayments(
  payer: Payer,
  { count, at_once }: { readonly count: number; readonly at_once: number },
  onPaid: (paid: number) => void = () => {},
): Promise<Load> {
  const startedAt = performance.now();
  const payments: Resource[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) {
      payments.push(await payer.pay(`payment ${at}`, amountOf(at)));
      onPaid(payments.length);
    }
  };
  await Promise.all(Array.from({ length: at_once }, work));
  return { payments, seconds: (performance.now() - startedAt) / 1_000 };
}

export interface Pace {
  /** Beginning of the keys of all requests. */
  readonly name: string;
  readonly at_once: number;
  readonly per_second: number;
}

/** Payments, and sentences about those that ended with an error. */
export interface PacedLoad {
  readonly payments: readonly Resource[];
  readonly errors: readonly string[];
}

/** Begins payments at a pace until `isOver`, and waits for their outcomes. Begins none while `at_once` wait. */
export async function takePaymentsUntil(
  payer: Payer,
  { name, at_once, per_second }: Pace,
  isOver: () => boolean,
): Promise<PacedLoad> {
  const payments: Resource[] = [];
  const errors: string[] = [];
  const waiting = new Set<Promise<void>>();
  let next = 0;
  const pay = async (): Promise<void> => {
    const at = next++;
    try {
      payments.push(await payer.pay(`${name} payment ${at}`, amountOf(at)));
    } catch (error) {
      errors.push((error as Error).message);
    }
  };
  while (!isOver()) {
    if (waiting.size < at_once) {
      const paying = pay().finally(() => waiting.delete(paying));
      waiting.add(paying);
    }
    await sleep(1_000 / per_second);
  }
  await Promise.all(waiting);
  return { payments, errors };
}

/** The simulated network declines and delays some amounts above 190 USD. */
const amountOf = (at: number): number => AMOUNT_MIN_CENTS + (at % 9_000);
