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

/** The simulated network declines and delays some amounts above 190 USD. */
const amountOf = (at: number): number => AMOUNT_MIN_CENTS + (at % 9_000);
