import { setTimeout as sleep } from 'node:timers/promises';
import { type Pace, takePaymentsUntil } from '../support/load.ts';
import type { Payer, Resource } from '../support/payer.ts';
import type { OpenForm, Shopper } from './shopper.ts';

/** Payments with stored and new cards, until it closes. */
export interface Till {
  pay(form: OpenForm): Promise<void>;
  /** Charges the card that was stored before all rotations. */
  chargeFirstCard(key: string): Promise<void>;
  newCards(): number;
  charges(): number;
  /** Sentences about payments that were refused, or did not succeed. */
  readonly errors: string[];
  close(): Promise<void>;
}

const NEW_CARD_PAUSE_MS = 400;

/** Opens the till with the first new card. */
export async function openTill(
  payer: Payer,
  shopper: Shopper,
  pace: Omit<Pace, 'name'>,
): Promise<Till> {
  const errors: string[] = [];
  let [newCards, charges, isOver] = [0, 0, false];
  const expectSuccess = ({ id, attributes }: Resource): void => {
    const { status, failure_reason } = attributes;
    if (status !== 'succeeded') errors.push(`payment ${id} is ${status}: ${failure_reason}`);
  };
  const pay = async (form: OpenForm): Promise<Resource> => {
    const payment = await shopper.submit(form);
    expectSuccess(payment);
    newCards += 1;
    return payment;
  };
  const shop = async (): Promise<void> => {
    for (let at = 0; !isOver; at++) {
      const paid = shopper.openForm(`new card ${at}`).then(pay);
      await paid.catch(({ message }: Error) => errors.push(message));
      await sleep(NEW_CARD_PAUSE_MS);
    }
  };
  const first = await pay(await shopper.openForm('first card'));
  const load = takePaymentsUntil(payer, { ...pace, name: 'stored card' }, () => isOver);
  const shopping = shop();
  return {
    errors,
    newCards: () => newCards,
    charges: () => charges,
    async pay(form) {
      await pay(form);
    },
    async chargeFirstCard(key) {
      expectSuccess(await shopper.chargeAgain(`again after ${key}`, first));
      charges += 1;
    },
    async close() {
      isOver = true;
      const { payments, errors: refused } = await load;
      await shopping;
      payments.forEach(expectSuccess);
      errors.push(...refused);
    },
  };
}
