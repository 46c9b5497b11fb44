import { problem } from '@florin/contract/errors.ts';
import { NOTES_MAX } from '@florin/contract/payment-notes.ts';
import { notFound } from '../../jsonapi/problems.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { insertRows } from '../../platform/database/rows.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { violatedConstraint } from '../../platform/database/wire/constraints.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { type NotifiedMember, recipientsOf } from '../member-notifications/decide.ts';
import { takeHourly } from '../member-notifications/hourly-limits.ts';
import { showToMembers } from '../member-notifications/show.ts';
import { findNotifiedMembers } from '../member-notifications/sql/members.ts';
import { type CreatedId, createdOnce } from '../people/accounts/once.ts';
import { writeAccountEmail } from '../people/emails/write.ts';
import type { AccountRequest } from '../people/sql/account-requests.ts';
import { mentionedIn } from './decide-mentions.ts';
import { findMentionable } from './mentionable.ts';
import { findNotedPayment } from './sql.ts';

export interface NewNote {
  readonly scope: Scope;
  readonly payment_id: string;
  readonly account_id: string;
  /** Name of the author, or the email address. */
  readonly author: string;
  readonly text: string;
  /** Set for a request with an idempotency key. */
  readonly request: AccountRequest | undefined;
}

/** Stores a note, and notifies the members whom it mentions, in one transaction. Throws 404 without a payment. */
export async function writeNote(services: Services, note: NewNote): Promise<CreatedId> {
  const { db, catalog, timelines, wake } = services;
  const { scope, payment_id, account_id } = note;
  const now = timelines.of(scope).clock.now();
  const id = uuidv7(now);
  const row: Row = {
    ...scope,
    ...{ id, account_id, payment_demand_id: payment_id, body: note.text },
    created_at: instantText(now),
  };
  const store = async (tx: Db) => {
    const payment = await requireRoom(tx, note);
    await insertRows(tx, catalog, 'payment_notes', [row]);
    await notifyMentioned(services, tx, note, { id, payment });
  };
  const writing = db.transaction((tx) => createdOnce(tx, note.request, id, () => store(tx)));
  const created = await writing.catch((error: unknown) => {
    // A reset of the sandbox removed the payment meanwhile.
    throw violatedConstraint(error) === PAYMENT_REFERENCE ? notFound() : error;
  });
  wake.account_emails.raise();
  return created;
}

const PAYMENT_REFERENCE = 'payment_notes_merchant_id_payment_demand_id_fkey';

/** Throws 404 without the payment, and 422 beyond its number of notes. A few concurrent notes may pass. */
async function requireRoom(tx: Db, { scope, payment_id }: NewNote): Promise<Row> {
  const payment = await findNotedPayment(tx, scope, payment_id, NOTES_MAX);
  if (!payment) throw notFound();
  if (Number(payment.notes) < NOTES_MAX) return payment;
  throw problem(
    'limit_reached',
    `A payment has at most ${NOTES_MAX} notes. Delete one of your notes before you write another.`,
    { pointer: '/text' },
    { meta: { limit: NOTES_MAX } },
  );
}

/** Members beyond their notifications per hour still see the note on the page. */
async function notifyMentioned(
  services: Services,
  tx: Db,
  note: NewNote,
  { id, payment }: { readonly id: string; readonly payment: Row },
): Promise<void> {
  const { scope, payment_id, author } = note;
  const { app, email } = recipientsOf(await findMentioned(tx, note), 'mention', scope.mode);
  const { amount_cents = '', amount_currency = '' } = payment as Readonly<Record<string, string>>;
  const mention = { ...scope, id, kind: 'mention', record_id: payment_id };
  const facts = { author, amount_cents, amount_currency };
  await showToMembers(services, tx, mention, { facts, recipients: app });
  await emailMembers(services, tx, { scope, payment_id }, email);
}

/** Members other than the author whom a note mentions, with their choices. */
async function findMentioned(
  tx: Db,
  { scope, text, account_id }: NewNote,
): Promise<NotifiedMember[]> {
  const mentionable = await findMentionable(tx, scope);
  const mentioned = mentionedIn(text, mentionable).filter((it) => it.account_id !== account_id);
  if (mentioned.length === 0) return [];
  const ids = new Set(mentioned.map(({ membership_id }) => membership_id));
  const members = await findNotifiedMembers(tx, scope, 'mention');
  return members.filter(({ membership_id }) => ids.has(membership_id));
}

async function emailMembers(
  services: Services,
  tx: Db,
  { scope, payment_id }: Pick<NewNote, 'scope' | 'payment_id'>,
  recipients: readonly NotifiedMember[],
): Promise<void> {
  const counted = { channel: 'email', recipients } as const;
  const allowed = await takeHourly(services, tx, { mode: scope.mode, kind: 'mention' }, counted);
  for (const { membership_id, email } of recipients) {
    if (!allowed.has(membership_id)) continue;
    await writeAccountEmail(tx, services.system_clock.now(), {
      kind: 'mention',
      to_email: email,
      facts: { ...scope, payment_id, membership_id },
    });
  }
}
