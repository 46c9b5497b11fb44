import { locales } from '../locales.ts';
import { statesOf } from '../machines/define-machine.ts';
import { emailMachine } from '../machines/email.ts';
import { defineResource, renamedField, renamedType, timestamps } from './define-resource.ts';

/** Kinds of customer emails. */
export const emailKinds = [
  'receipt',
  'upcoming_renewal',
  'trial_ending',
  'payment_failed',
  'final_notice',
  'card_expiring',
  'subscription_unpaid',
  'subscription_ending',
  'subscription_cancelled',
] as const;
export type EmailKind = (typeof emailKinds)[number];

/** Secret part of customer page links in emails. Masked unless the key may create such links. */
const masks = {
  pattern: /(?<=\/s\/)[\w-]+\.[\w-]+/g,
  unless: 'transaction.payment_subscriptions.update',
} as const;

export const emails = defineResource({
  type: 'emails',
  table: 'letters',
  summary: 'An email to a customer. Emails of the sandbox stay in the test mailbox',
  owner: 'mode',
  group: 'consumer',
  operations: ['list', 'fetch'],
  fields: {
    kind: {
      type: 'enum',
      values: emailKinds,
      always_set: true,
      description: 'Record and reason of the email; each is written once.',
    },
    status: {
      type: 'enum',
      values: statesOf(emailMachine),
      always_set: true,
      description:
        '`sent`: the mail server accepted the email. `kept`: an email of the sandbox, which is not sent. `failed`: it was refused or could not be sent.',
    },
    to_email: { type: 'email', always_set: true, description: 'Address of the recipient.' },
    locale: { type: 'enum', values: locales, opaque: true, always_set: true },
    subject: {
      type: 'string',
      opaque: true,
      description: 'Subject; null until the email is written.',
    },
    text: {
      type: 'string',
      opaque: true,
      masks,
      description:
        'The email as plain text. A link to the customer’s page in it works for 30 days. Only keys with `transaction.payment_subscriptions.update` see it whole.',
    },
    html: {
      type: 'string',
      opaque: true,
      masks,
      description:
        'The email as HTML. The source of an uploaded logo is `cid:`, and only the sent message has its file.',
    },
    attempts_count: {
      type: 'integer',
      column: 'tries_count',
      opaque: true,
      description: 'Number of attempts to send the email.',
    },
    failure_reason: {
      type: 'string',
      opaque: true,
      description:
        'Reason why the last attempt failed: `not_configured` (no mail server), `refused`, `deferred`, `timed_out`, `unreachable` or `unwritable`. More may be added.',
    },
    sent_at: {
      type: 'timestamp',
      opaque: true,
      description: 'Time at which the mail server accepted the email.',
    },
    created_at: timestamps.created_at,
    updated_at: { ...timestamps.updated_at, opaque: true },
  },
  relations: {
    merchant: { to: 'merchants' },
    customer: { to: 'customers', unchecked: true },
    payment_demand: { to: 'payment_demands', unchecked: true },
    payment_subscription: { to: 'payment_subscriptions', unchecked: true },
  },
});

/** The old name of `emails`, with the old name of its one renamed field. */
export const letters = renamedType('letters', {
  ...emails,
  fields: {
    ...emails.fields,
    ...renamedField('attempts_count', 'tries_count', emails.fields.attempts_count),
  },
});
