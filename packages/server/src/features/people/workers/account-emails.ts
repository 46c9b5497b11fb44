import { mailTransportOf } from '../../../config/config.ts';
import type { Database } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { createMailer, type Mailer, type MailerLimits } from '../../../platform/emails/mailer.ts';
import type { Draft } from '../../../platform/emails/parts.ts';
import { instantText, seconds } from '../../../platform/time/clock.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { draftAccountEmail } from '../emails/draft.ts';
import { bodyLocation } from '../emails/write.ts';
import {
  type AccountEmailOutcome,
  claimAccountEmails,
  recordAccountEmailOutcome,
} from '../sql/account-emails.ts';

const CLAIMED_MAX = 8;
/** Lease in seconds, longer than sending one email may take. */
const LEASE_S = 300;
/** Seconds to wait after failed attempts. A link that arrives later is useless. */
export const ACCOUNT_EMAIL_RETRY_WAITS_SECONDS = [10, 60, 300, 900] as const;

type EmailServices = Pick<
  Services,
  | 'db'
  | 'global'
  | 'clock'
  | 'system_clock'
  | 'config'
  | 'logger'
  | 'loop_statuses'
  | 'due_watch'
  | 'sealer'
  | 'wake'
>;

/** Starts the loop of the emails of people who are apart: those that concern no merchant. */
export const startGlobalEmailsLoop = (services: EmailServices): AsyncDisposable =>
  startAccountEmailsLoop(
    { ...services, due_watch: undefined, loop_statuses: undefined },
    undefined,
    services.global,
  );

/**
 * Starts the loop that renders and sends account emails. Without a mail server, it stores them in
 * the test mailbox. If the process dies, an email is due again when its lease ends.
 */
export function startAccountEmailsLoop(
  services: EmailServices,
  limits?: MailerLimits,
  outbox: Database = services.db,
): AsyncDisposable {
  const { smtp, work_poll_ms: poll_ms } = services.config;
  const mailer = smtp && createMailer(smtp, services.logger, limits);
  const loop = startLoop(services, {
    name: 'account emails',
    wake: services.wake.account_emails,
    poll_ms,
    due: [{ table: 'account_letters' }],
    async step() {
      const now = services.system_clock.now();
      const emails = await claimAccountEmails(outbox, {
        now: instantText(now),
        lease_until: instantText(now + seconds(LEASE_S)),
        limit: CLAIMED_MAX,
      });
      await Promise.all(
        emails.map((email) => handleRequest({ ...services, outbox }, mailer, email)),
      );
      return emails.length > 0;
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      mailer?.[Symbol.dispose]();
      await loop[Symbol.asyncDispose]();
    },
  };
}

async function handleRequest(
  services: EmailServices & { readonly outbox: Database },
  mailer: Mailer | undefined,
  email: Row,
): Promise<void> {
  try {
    const draft = await draftAccountEmail(services, email);
    const outcome = draft ? await send(services, mailer, email, draft) : failedWith('not_wanted');
    await recordAccountEmailOutcome(services.outbox, email.id as string, outcome);
  } catch (error) {
    const err = { message: (error as Error).message };
    services.logger.error({ email: email.id, err }, 'account email not sent');
  }
}

const failedWith = (failure_reason: string): AccountEmailOutcome => ({
  due_at: null,
  sent_at: null,
  failure_reason,
  body: null,
});

async function send(
  services: EmailServices,
  mailer: Mailer | undefined,
  email: Row,
  draft: Draft,
): Promise<AccountEmailOutcome> {
  const now = services.system_clock.now();
  const sentColumns = { due_at: null, sent_at: instantText(now), failure_reason: null, body: null };
  if (!mailer) {
    if (mailTransportOf(services.config) === 'none') return failedWith('not_configured');
    return {
      ...sentColumns,
      body: services.sealer.seal(JSON.stringify(draft), bodyLocation(email)),
    };
  }
  const outcome = await mailer.send({ email, draft, from_name: 'Florin', reply_to: undefined });
  if (outcome.result === 'sent') return sentColumns;
  const reason = 'reason' in outcome ? outcome.reason : 'unreachable';
  const waitSeconds =
    outcome.result === 'delayed' && ACCOUNT_EMAIL_RETRY_WAITS_SECONDS[Number(email.tries_count)];
  return waitSeconds
    ? { ...failedWith(reason), due_at: instantText(now + seconds(waitSeconds)) }
    : failedWith(reason);
}
