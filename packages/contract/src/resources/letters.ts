import { locales } from '../locales.ts';
import { statesOf } from '../machines/define-machine.ts';
import { emailMachine } from '../machines/letter.ts';
import { defineResource, renamedField, timestamps } from './define-resource.ts';

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

export const letters = defineResource({
  type: 'letters',
  summary: 'An email to a customer. Emails of the sandbox stay in the test mailbox',
  owner: 'mode',
  group: 'consumer',
  operations: ['list', 'fetch'],
  fields: {
    kind: {
      type: 'enum',
      values: emailKinds,
      always_set: true,
      description: 'What it is about; nothing is told twice.',
    },
    status: {
      type: 'enum',
      values: statesOf(emailMachine),
      always_set: true,
      description:
        '`sent` was taken by the mail server, `kept` is of the sandbox and goes nowhere, `failed` was refused or could not be sent.',
    },
    to_email: { type: 'email', always_set: true, description: 'Whom it goes to.' },
    locale: { type: 'enum', values: locales, opaque: true, always_set: true },
    subject: { type: 'string', opaque: true, description: 'Null until it is written.' },
    text: {
      type: 'string',
      opaque: true,
      masks,
      description:
        'The letter as plain text. A link to the customer’s own page in it is good for 30 days, and is served whole only to keys with `transaction.payment_subscriptions.update`, which may make one.',
    },
    html: { type: 'string', opaque: true, masks, description: 'The same as a page.' },
    ...renamedField('attempts_count', 'tries_count', {
      type: 'integer',
      opaque: true,
      description: 'Number of attempts to send the email.',
    }),
    failure_reason: {
      type: 'string',
      opaque: true,
      description:
        'Why the last try came to nothing: `not_configured` (no mail server), `refused`, `deferred` or `timed_out` by it, `unreachable`, `unwritable`. More may come.',
    },
    sent_at: { type: 'timestamp', opaque: true, description: 'When the mail server took it.' },
    created_at: timestamps.created_at,
    updated_at: { ...timestamps.updated_at, opaque: true },
  },
  relations: {
    merchant: { to: 'merchants' },
    customer: { to: 'customers' },
    payment_demand: { to: 'payment_demands' },
    payment_subscription: { to: 'payment_subscriptions' },
  },
});
