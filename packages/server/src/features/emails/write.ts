import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { type Facts, pickFacts } from './facts.ts';
import { receiptLines } from './receipt-lines.ts';
import { insertLetters } from './sql.ts';

/** An email to be written, with its subject's rows after the causing change. */
export type NewLetter =
  /** For a succeeded payment; once per payment. */
  | { readonly kind: 'receipt'; readonly payment: Row; readonly link_url?: string }
  /**
   * For a failed charge of a subscription; once per failure (`failed_at`). At `link_url` the
   * customer changes the card; without `next_try_at` there is no automatic retry.
   */
  | {
      readonly kind: 'payment_failed';
      readonly payment: Row;
      readonly link_url?: string;
      readonly next_try_at?: Micros;
    }
  /** Instead of `payment_failed`, if no retry is left: at `ends_at` the subscription stops. */
  | {
      readonly kind: 'final_notice';
      readonly payment: Row;
      readonly final_action: 'pause' | 'cancel';
      readonly ends_at: Micros;
      readonly link_url?: string;
    }
  /**
   * Before a subscription's first charge after a trial, or a renewal; once per charge time. Minor
   * units, by default the subscription's.
   */
  | {
      readonly kind: 'upcoming_renewal' | 'trial_ending';
      readonly subscription: Row;
      readonly charge_at: Micros;
      readonly amount_cents?: string;
      readonly link_url?: string;
    }
  /** For the payment method of a subscription; once per expiry. */
  | {
      readonly kind: 'card_expiring';
      readonly subscription: Row;
      readonly card: Row;
      readonly link_url?: string;
    }
  /** For a subscription that stopped because a charge was given up; once per time (`at`). */
  | {
      readonly kind: 'subscription_unpaid';
      readonly subscription: Row;
      readonly final_action: 'pause' | 'cancel';
      readonly at: Micros;
      readonly link_url?: string;
    }
  /** For a subscription that was cancelled and ends with its period; once per request (`at`). */
  | {
      readonly kind: 'subscription_ending';
      readonly subscription: Row;
      readonly at: Micros;
      readonly ends_at: Micros;
      readonly link_url?: string;
    }
  /** For a subscription that ended otherwise; once. */
  | {
      readonly kind: 'subscription_cancelled';
      readonly subscription: Row;
      readonly link_url?: string;
    };

/**
 * Stores emails in the transaction that causes them; the email worker renders and sends them. `now`
 * is their `created_at`. Leaves out emails that exist, and customers without an address.
 */
export async function writeLetters(
  { catalog, clock }: Pick<Services, 'catalog' | 'clock'>,
  tx: Db,
  letters: readonly NewLetter[],
  now: Micros,
): Promise<void> {
  // Due on the worker's clock, whatever the customer's time.
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
    case 'final_notice':
      return letter.payment.failed_at ?? '';
    case 'upcoming_renewal':
    case 'trial_ending':
      return instantText(letter.charge_at);
    case 'subscription_unpaid':
    case 'subscription_ending':
      return instantText(letter.at);
    case 'card_expiring':
      return `${letter.card.expiry_year}-${letter.card.expiry_month}`;
    default:
      return '';
  }
}

function factsOf(letter: NewLetter): Facts {
  const about = 'payment' in letter ? letter.payment : letter.subscription;
  return {
    ...pickFacts(about),
    ...(letter.link_url && { link_url: letter.link_url }),
    ...particularsOf(letter),
  };
}

/** Facts of an email beyond its subject. */
function particularsOf(letter: NewLetter): Facts {
  switch (letter.kind) {
    case 'receipt':
      return {
        amount_cents: letter.payment.amount_captured_cents as string,
        receipt: receiptLines(letter.payment),
      };
    case 'payment_failed': {
      const { next_try_at } = letter;
      return next_try_at === undefined ? {} : { next_try_at: instantText(next_try_at) };
    }
    case 'final_notice':
      return { final_action: letter.final_action, ends_at: instantText(letter.ends_at) };
    case 'upcoming_renewal':
    case 'trial_ending': {
      const { amount_cents, charge_at } = letter;
      return { ...(amount_cents && { amount_cents }), charge_at: instantText(charge_at) };
    }
    case 'card_expiring':
      return expiryOf(letter.card);
    case 'subscription_unpaid':
      return { final_action: letter.final_action };
    case 'subscription_ending':
      return { ends_at: instantText(letter.ends_at) };
    case 'subscription_cancelled':
      return {};
  }
}

const expiryOf = ({ expiry_month, expiry_year }: Row): Facts => ({
  expiry_month: expiry_month as string,
  expiry_year: expiry_year as string,
});
