import { isDeepStrictEqual } from 'node:util';
import { takePaymentsUntil } from '../support/load.ts';
import { type AcceptedPayment, type Answer, createPayer, type Resource } from '../support/payer.ts';

/** Payments and requests of a part of an upgrade. */
export interface StageResult {
  readonly name: string;
  readonly seconds: number;
  readonly payments: number;
  readonly requests: number;
  /** Requests that were answered with an error, or not at all. */
  readonly failed: readonly Answer[];
  readonly longest_ms: number;
  readonly accepted: readonly AcceptedPayment[];
  /** Payments as they were answered at their end. */
  readonly paid: readonly Resource[];
  /** Sentences about payments that ended with an error. */
  readonly errors: readonly string[];
}

export interface StageLoad {
  readonly apis: readonly string[];
  readonly secretKey: string;
  readonly clients: number;
  readonly per_second: number;
}

/** Takes payments while `work` runs. */
export async function takePaymentsDuring(
  name: string,
  { apis, secretKey, clients, per_second }: StageLoad,
  work: () => Promise<unknown>,
): Promise<StageResult> {
  const answers: Answer[] = [];
  const payer = createPayer(apis, secretKey, (answer) => answers.push(answer));
  const keys = name.replaceAll(/\W+/g, '-');
  await payer.prepare(keys);
  const startedAt = performance.now();
  let isOver = false;
  const pace = { name: keys, at_once: clients, per_second };
  const load = takePaymentsUntil(payer, pace, () => isOver);
  await work().finally(() => {
    isOver = true;
  });
  const { payments, errors } = await load;
  return {
    name,
    seconds: (performance.now() - startedAt) / 1_000,
    payments: payments.length,
    requests: answers.length,
    failed: answers.filter(({ status }) => !(Number(status) < 400)),
    longest_ms: Math.max(0, ...answers.map(({ duration_ms }) => duration_ms)),
    accepted: payer.accepted,
    paid: payments,
    errors,
  };
}

/** Attributes of a payment that change after its outcome. */
const CHANGING = new Set(['updated_at']);

/** Reads payments at the current release, and returns a sentence for each that is answered differently than before. */
export async function compareAnswers(
  apis: readonly string[],
  secretKey: string,
  paid: readonly Resource[],
): Promise<string[]> {
  const { read } = createPayer(apis, secretKey);
  const compare = async (payment: Resource): Promise<string[]> => {
    const { attributes } = await read(payment.id);
    const changed = Object.entries(payment.attributes)
      .filter(([name, value]) => !CHANGING.has(name) && !isDeepStrictEqual(value, attributes[name]))
      .map(([name]) => name);
    return changed.length === 0
      ? []
      : [`payment ${payment.id} is answered with other values of ${changed.join(', ')}`];
  };
  const differences: string[] = [];
  for (const payment of paid)
    differences.push(...(await compare(payment).catch((error: Error) => [error.message])));
  return differences;
}
