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
import { takeHourly } from '../member-notifications/hourly-limits.ts';
import { type CreatedId, createdOnce } from '../people/accounts/once.ts';
import { writeAccountEmail } from '../people/emails/write.ts';
import type { AccountRequest } from '../people/sql/account-requests.ts';
import { type Mentionable, mentionedIn } from './decide-mentions.ts';
import { findMentionable } from './mentionable.ts';
import { countNotes } from './sql.ts';

export interface NewNote {
  readonly scope: Scope;
  readonly payment_id: string;
  readonly account_id: string;
  readonly text: string;
  /** Set for a request with an idempotency key. */
  readonly request: AccountRequest | undefined;
}

/** Stores a note and the emails to mentioned members, in one transaction. Throws 404 without a payment. */
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
    await requireRoom(tx, note);
    await insertRows(tx, catalog, 'payment_notes', [row]);
    await emailMentioned(services, tx, note);
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
async function requireRoom(tx: Db, { scope, payment_id }: NewNote): Promise<void> {
  const count = await countNotes(tx, scope, payment_id, NOTES_MAX);
  if (count === undefined) throw notFound();
  if (count < NOTES_MAX) return;
  throw problem(
    'limit_reached',
    `A payment has at most ${NOTES_MAX} notes. Delete one of your notes before you write another.`,
    { pointer: '/text' },
    { meta: { limit: NOTES_MAX } },
  );
}

/** Members beyond their emails per hour still see the note on the page. */
async function emailMentioned(services: Services, tx: Db, note: NewNote): Promise<void> {
  const { mode } = note.scope;
  const recipients = mentionedIn(note.text, await findMentionable(tx, note.scope));
  const counted = { channel: 'email', recipients } as const;
  const allowed = await takeHourly(services, tx, { mode, kind: 'mention' }, counted);
  for (const member of recipients.filter(({ membership_id }) => allowed.has(membership_id)))
    await emailMember(services, tx, note, member);
}

const emailMember = (
  { system_clock }: Services,
  tx: Db,
  { scope, payment_id }: NewNote,
  { membership_id, email }: Mentionable,
): Promise<void> =>
  writeAccountEmail(tx, system_clock.now(), {
    kind: 'mention',
    to_email: email,
    facts: { ...scope, payment_id, membership_id },
  });
