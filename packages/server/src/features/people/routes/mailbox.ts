import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import { mailTransportOf } from '../../../config/config.ts';
import { isForwarded } from '../../../http/is-forwarded.ts';
import { hasPeopleApart } from '../../../platform/database/in-both.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Draft } from '../../../platform/emails/parts.ts';
import { instantText, microsOf } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { bodyLocation } from '../emails/write.ts';
import { storedAccountEmails } from '../sql/account-emails.ts';

const EMAILS_MAX = 50;

/**
 * Routes of the test mailbox for account emails. Only local servers without a mail server have one.
 */
export function registerMailbox(
  fastify: FastifyInstance,
  { db, global, reads, sealer, config }: Services,
): void {
  const ownHost = new URL(config.public_url).host;
  fastify.get('/dashboard/api/mailbox', { config: { open: true } }, async ({ headers }) => {
    // After DNS rebinding, another site's page sends its own host name.
    if (mailTransportOf(config) !== 'mailbox' || headers.host !== ownHost || isForwarded(headers))
      throw noMailboxProblem();
    const outboxes = hasPeopleApart({ db, global }) ? [reads, global] : [reads];
    const stored = await Promise.all(outboxes.map((box) => storedAccountEmails(box, EMAILS_MAX)));
    const emails = stored.flat().sort(isNewerFirst).slice(0, EMAILS_MAX);
    return { data: emails.map((email) => emailView(email, openEmail(email))) };
  });
  function openEmail(email: Row): Partial<Draft> {
    const text = sealer.open(email.body as string, bodyLocation(email));
    return text === undefined ? {} : (JSON.parse(text) as Draft);
  }
}

/** By id, which begins with the time. */
const isNewerFirst = (a: Row, b: Row): number => ((a.id as string) < (b.id as string) ? 1 : -1);

const emailView = (
  { id, kind, to_email, locale, sent_at }: Row,
  { subject = '', text = '' }: Partial<Draft>,
) => ({
  id,
  kind,
  to_email,
  locale,
  subject,
  text,
  sent_at: instantText(microsOf(sent_at as string)),
});

const noMailboxProblem = () =>
  problem(
    'not_found',
    'This server has no test mailbox here. Only a local server without a mail server has one, at its own address and not through a proxy.',
  );
