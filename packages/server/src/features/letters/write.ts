import { instantText, type Micros } from '../../kernel/clock.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import type { Db } from '../../store/db.ts';
import { insertLetters } from '../../store/letters.ts';
import type { Row } from '../../store/row.ts';
import type { Services } from '../services.ts';
import { type Facts, pickFacts } from './facts.ts';

/** A letter that is to be written, by the rows that it is about as they are after the change that causes it. */
export type NewLetter =
  /** Of a payment that succeeded; once for each. */
  | { readonly kind: 'receipt'; readonly payment: Row; readonly link_url?: string }
  /**
   * Of a charge of a subscription that failed; once for each time it failed (`failed_at`). `link_url` is where the
   * customer changes the card; without `next_try_at` it is not tried again.
   */
  | {
      readonly kind: 'payment_failed';
      readonly payment: Row;
      readonly link_url?: string;
      readonly next_try_at?: Micros;
    }
  /** Before a subscription is charged; once for each time of a charge. Minor units, the subscription's own where absent. */
  | {
      readonly kind: 'upcoming_renewal';
      readonly subscription: Row;
      readonly charge_at: Micros;
      readonly amount_cents?: string;
      readonly link_url?: string;
    }
  /** Of the payment method that a subscription is charged to; once for each expiry. */
  | {
      readonly kind: 'card_expiring';
      readonly subscription: Row;
      readonly card: Row;
      readonly link_url?: string;
    }
  /** Of a subscription that ended; once for each. `paid_until` where some time that was paid for is left. */
  | {
      readonly kind: 'subscription_cancelled';
      readonly subscription: Row;
      readonly paid_until?: Micros;
      readonly link_url?: string;
    };

/**
 * Stores letters in the transaction that causes them; the letter loop writes them out and sends them. `now` is their
 * `created_at`. One that was stored before, or whose customer has no address, is left out.
 */
export async function writeLetters(
  { catalog, clock }: Pick<Services, 'catalog' | 'clock'>,
  tx: Db,
  letters: readonly NewLetter[],
  now: Micros,
): Promise<void> {
  // They are due on the clock of the loop, whatever time the customer is in.
  const due_at = instantText(clock.now());
  const rows = letters.map((letter) => ({ ...letterRow(letter, now), due_at }));
  await insertLetters(tx, catalog, rows);
}

function letterRow(letter: NewLetter, now: Micros): Row {
  const about = 'payment' in letter ? letter.payment : letter.subscription;
  const at = instantText(now);
  const { merchant_id, mode, payer_id, payment_method_id, id } = about;
  return {
    merchant_id: merchant_id as string,
    mode: mode as string,
    id: uuidv7(now),
    kind: letter.kind,
    status: 'pending',
    facts: JSON.stringify(factsOf(letter)),
    subject_id: id as string,
    occasion: occasionOf(letter),
    customer_id: payer_id ?? null,
    payment_method_id: payment_method_id ?? null,
    ...('payment' in letter
      ? {
          payment_demand_id: id as string,
          payment_subscription_id: about.payment_subscription_id ?? null,
        }
      : { payment_subscription_id: id as string }),
    tries_count: '0',
    created_at: at,
    updated_at: at,
  };
}

function occasionOf(letter: NewLetter): string {
  switch (letter.kind) {
    case 'payment_failed':
      return letter.payment.failed_at ?? '';
    case 'upcoming_renewal':
      return instantText(letter.charge_at);
    case 'card_expiring':
      return `${letter.card.expiry_year}-${letter.card.expiry_month}`;
    default:
      return '';
  }
}

function factsOf(letter: NewLetter): Facts {
  const link = letter.link_url ? { link_url: letter.link_url } : {};
  switch (letter.kind) {
    case 'receipt':
      return {
        ...pickFacts(letter.payment),
        amount_cents: letter.payment.amount_captured_cents as string,
        ...link,
      };
    case 'payment_failed':
      return {
        ...pickFacts(letter.payment),
        ...link,
        ...timeOf('next_try_at', letter.next_try_at),
      };
    case 'upcoming_renewal':
      return {
        ...pickFacts(letter.subscription),
        ...(letter.amount_cents && { amount_cents: letter.amount_cents }),
        ...link,
        charge_at: instantText(letter.charge_at),
      };
    case 'card_expiring':
      return { ...pickFacts(letter.subscription), ...expiryOf(letter.card), ...link };
    case 'subscription_cancelled':
      return {
        ...pickFacts(letter.subscription),
        ...link,
        ...timeOf('paid_until', letter.paid_until),
      };
  }
}

const expiryOf = ({ expiry_month, expiry_year }: Row): Facts => ({
  expiry_month: expiry_month as string,
  expiry_year: expiry_year as string,
});

const timeOf = (name: 'next_try_at' | 'paid_until', at: Micros | undefined): Facts =>
  at === undefined ? {} : { [name]: instantText(at) };
