import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { rowAfter } from '../../platform/database/transition.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { receiptLines } from '../documents/receipt-lines.ts';
import { decideEmail, outcomeWithoutSending } from './decide.ts';
import { type Facts, pickFacts } from './facts.ts';
import { hourOf } from './receipt-hour.ts';
import { insertEmails } from './sql.ts';

/** An email to store, with the rows of its subject after the causing change. */
export type NewEmail =
  /** Succeeded payment. Once per payment, and once per hour of `again_at`. */
  | {
      readonly kind: 'receipt';
      readonly payment: Row;
      readonly link_url?: string;
      readonly again_at?: Micros;
    }
  /**
   * Failed charge of a subscription, once per failure (`failed_at`). The customer changes the card
   * at `link_url`. Without `next_try_at`, no automatic retry follows.
   */
  | {
      readonly kind: 'payment_failed';
      readonly payment: Row;
      readonly link_url?: string;
      readonly next_try_at?: Micros;
    }
  /**
   * Failed charge without further retries, instead of `payment_failed`. The subscription stops at
   * `ends_at`.
   */
  | {
      readonly kind: 'final_notice';
      readonly payment: Row;
      readonly final_action: 'pause' | 'cancel';
      readonly ends_at: Micros;
      readonly link_url?: string;
    }
  /**
   * Charge after a trial, or renewal, that is due soon. Once per charge time. Amount in minor
   * units, by default the subscription's.
   */
  | {
      readonly kind: 'upcoming_renewal' | 'trial_ending';
      readonly subscription: Row;
      readonly charge_at: Micros;
      readonly amount_cents?: string;
      readonly link_url?: string;
    }
  /** Card of a subscription that expires soon. Once per expiry. */
  | {
      readonly kind: 'card_expiring';
      readonly subscription: Row;
      readonly card: Row;
      readonly link_url?: string;
    }
  /** Subscription that stopped after its last failed charge. Once per stop (`at`). */
  | {
      readonly kind: 'subscription_unpaid';
      readonly subscription: Row;
      readonly final_action: 'pause' | 'cancel';
      readonly at: Micros;
      readonly link_url?: string;
    }
  /** Subscription that was cancelled and ends with its period. Once per request (`at`). */
  | {
      readonly kind: 'subscription_ending';
      readonly subscription: Row;
      readonly at: Micros;
      readonly ends_at: Micros;
      readonly link_url?: string;
    }
  /** Subscription that ended in any other way. Once. */
  | {
      readonly kind: 'subscription_cancelled';
      readonly subscription: Row;
      readonly link_url?: string;
    };

type WriteServices = Pick<Services, 'catalog' | 'clock'> & {
  readonly config: Pick<Services['config'], 'smtp'>;
};

/**
 * Stores emails in the transaction that causes them; the email worker renders and sends them. Emails that nothing sends
 * are stored as finished, and are rendered when they are read. `now` becomes their `created_at`. Leaves out existing
 * emails and customers without an address.
 */
export async function writeEmails(
  services: WriteServices,
  tx: Db,
  emails: readonly NewEmail[],
  now: Micros,
): Promise<void> {
  const rows = emails.map((email) => storedRow(services, emailRow(email, now)));
  await insertEmails(tx, services.catalog, rows);
}

/** The email as it is stored: due by the worker's clock, even if the customer's clock differs, or finished. */
function storedRow({ clock, config }: WriteServices, email: Row): Row {
  const now = clock.now();
  const at = instantText(now);
  if (email.mode === 'live' && config.smtp) return { ...email, due_at: at };
  const decided = decideEmail(email, outcomeWithoutSending(email.mode as Mode), now);
  return rowAfter({ table: 'letters', at }, { before: email, ...decided });
}

function emailRow(email: NewEmail, now: Micros): Row {
  const subject = 'payment' in email ? email.payment : email.subscription;
  const at = instantText(now);
  const { merchant_id, mode, payer_id, payment_method_id, id } = subject;
  return {
    merchant_id: merchant_id as string,
    mode: mode as string,
    id: uuidv7(now),
    kind: email.kind,
    status: 'pending',
    facts: JSON.stringify(factsOf(email)),
    subject_id: id as string,
    occasion: occasionOf(email),
    customer_id: payer_id ?? null,
    payment_method_id: payment_method_id ?? null,
    ...('payment' in email
      ? {
          payment_demand_id: id as string,
          payment_subscription_id: subject.payment_subscription_id ?? null,
        }
      : { payment_subscription_id: id as string }),
    tries_count: '0',
    created_at: at,
    updated_at: at,
  };
}

function occasionOf(email: NewEmail): string {
  switch (email.kind) {
    case 'receipt':
      return email.again_at === undefined ? '' : hourOf(email.again_at);
    case 'payment_failed':
    case 'final_notice':
      return email.payment.failed_at ?? '';
    case 'upcoming_renewal':
    case 'trial_ending':
      return instantText(email.charge_at);
    case 'subscription_unpaid':
    case 'subscription_ending':
      return instantText(email.at);
    case 'card_expiring':
      return `${email.card.expiry_year}-${email.card.expiry_month}`;
    default:
      return '';
  }
}

function factsOf(email: NewEmail): Facts {
  const subject = 'payment' in email ? email.payment : email.subscription;
  return {
    ...pickFacts(subject),
    ...(email.link_url && { link_url: email.link_url }),
    ...extraFactsOf(email),
  };
}

/** Facts of an email that are not in the rows of its subject. */
function extraFactsOf(email: NewEmail): Facts {
  switch (email.kind) {
    case 'receipt':
      return {
        amount_cents: email.payment.amount_captured_cents as string,
        receipt: receiptLines(email.payment),
      };
    case 'payment_failed': {
      const { next_try_at } = email;
      return next_try_at === undefined ? {} : { next_try_at: instantText(next_try_at) };
    }
    case 'final_notice':
      return { final_action: email.final_action, ends_at: instantText(email.ends_at) };
    case 'upcoming_renewal':
    case 'trial_ending': {
      const { amount_cents, charge_at } = email;
      return { ...(amount_cents && { amount_cents }), charge_at: instantText(charge_at) };
    }
    case 'card_expiring':
      return expiryOf(email.card);
    case 'subscription_unpaid':
      return { final_action: email.final_action };
    case 'subscription_ending':
      return { ends_at: instantText(email.ends_at) };
    case 'subscription_cancelled':
      return {};
  }
}

const expiryOf = ({ expiry_month, expiry_year }: Row): Facts => ({
  expiry_month: expiry_month as string,
  expiry_year: expiry_year as string,
});
