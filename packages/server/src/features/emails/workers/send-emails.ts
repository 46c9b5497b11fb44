import { setTimeout as sleep } from 'node:timers/promises';
import type { Mode } from '@florin/contract/protocol/vault.ts';
import { isPassingError } from '../../../platform/concurrency/batcher.ts';
import { createLimiter } from '../../../platform/concurrency/limiter.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Envelope, Outcome } from '../../../platform/emails/mailer.ts';
import {
  CONNECTIONS_MAX,
  createMailer,
  type Mailer,
  type MailerLimits,
} from '../../../platform/emails/mailer.ts';
import { instantText, seconds } from '../../../platform/time/clock.ts';
import { coversAllMerchants } from '../../../platform/workers/claim.ts';
import type { DueRows } from '../../../platform/workers/due-watch.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { attachmentsOf } from '../attachments.ts';
import { outcomeWithoutSending } from '../decide.ts';
import { type ComposedEmail, isEnvelope, renderEmails } from '../load.ts';
import { createEmailOutcomeRecorder, storeEmailOutcomes } from '../record.ts';
import { claimEmails, type DueEmails, lockDueEmails } from '../sql.ts';

/** Maximum number of emails that one step renders without sending. */
const RECORD_ONLY_MAX = 64;
/** Milliseconds that a shutdown waits for emails in flight. Cancelled emails are sent again. */
const STOP_MS = 5_000;
/** Lease of an email in seconds. Longer than one send can take. */
export const LEASE_S = 300;

export type EmailServices = Pick<
  Services,
  | 'db'
  | 'catalog'
  | 'clock'
  | 'logger'
  | 'loop_statuses'
  | 'due_watch'
  | 'within'
  | 'timelines'
  | 'documents'
> & {
  readonly config: Pick<Services['config'], 'smtp' | 'work_poll_ms'>;
  readonly wake: Pick<Services['wake'], 'emails'>;
};

const dueEmails = (mode: Mode): DueRows => ({ table: 'letters', condition: `t.mode = '${mode}'` });

/** Loop that finishes emails of the sandbox that an older version wrote as due. */
export const startSandboxEmailsLoop = (services: EmailServices): AsyncDisposable =>
  startRecordOnlyLoop(services, 'sandbox');

/**
 * Loop that renders and sends live emails, each at least once. If the process dies, its emails are
 * due again at the end of the lease, with the same message id. Without a mail server, remaining emails fail.
 */
export function startLiveEmailsLoop(
  services: EmailServices,
  limits?: MailerLimits,
): AsyncDisposable {
  const { smtp } = services.config;
  return smtp
    ? startSendingLoop(services, createMailer(smtp, services.logger, limits))
    : startRecordOnlyLoop(services, 'live');
}

/** Outcome of an email that failed to render. */
const UNWRITABLE: Outcome = { result: 'refused', reason: 'unwritable' };

/**
 * Loop that renders emails that nothing sends and finishes them. Without a lease: nothing is sent, so that a step that
 * fails has no effect.
 */
const startRecordOnlyLoop = (services: EmailServices, mode: Mode): AsyncDisposable =>
  startLoop(services, {
    name: `emails ${mode}`,
    wake: services.wake.emails,
    poll_ms: services.config.work_poll_ms,
    due: [dueEmails(mode)],
    async step() {
      const within = await services.within?.();
      const dueEmails = { mode, within, limit: RECORD_ONLY_MAX };
      const count = await finishDue(services, dueEmails).catch(async (error: unknown) => {
        // Emails that cannot be stored go behind all others.
        if (!isPassingError(error)) await claim(services, dueEmails);
        throw error;
      });
      if (count === 0) return false;
      // The next batch waits for the next poll, so that emails leave the CPU to payments. A drain wakes the loop,
      // and emails of an advancing clock do not wait.
      return !coversAllMerchants(within);
    },
  });

/** Renders due emails and records the outcome in one transaction. Returns the number of emails. */
const finishDue = (services: EmailServices, dueEmails: Omit<DueEmails, 'now'>): Promise<number> =>
  services.db.transaction(async (tx) => {
    const now = instantText(services.clock.now());
    const emails = await lockDueEmails(tx, { ...dueEmails, now });
    if (emails.length === 0) return 0;
    const rendering = { db: tx, logger: services.logger };
    const composedEmails = await renderEmails(rendering, emails, { sends: false });
    const outcomes = composedEmails.map((composedEmail) => ({
      ...composedEmail,
      outcome: isEnvelope(composedEmail) ? outcomeWithoutSending(dueEmails.mode) : UNWRITABLE,
    }));
    await storeEmailOutcomes(services, tx, outcomes);
    return emails.length;
  });

/** Loop that renders and sends emails, one at a time per connection. */
function startSendingLoop(services: EmailServices, mailer: Mailer): AsyncDisposable {
  const sendLimiter = createLimiter({ total: { max: CONNECTIONS_MAX } });
  const recordOutcome = createEmailOutcomeRecorder(services);
  const send = async (envelope: Envelope): Promise<Outcome> => {
    const documents = await attachmentsOf(services, envelope.email);
    const attachments = envelope.logo ? [...documents, envelope.logo] : documents;
    return mailer.send({ ...envelope, attachments });
  };
  const sendOne = async (composedEmail: ComposedEmail): Promise<void> => {
    try {
      const outcome = isEnvelope(composedEmail) ? await send(composedEmail) : UNWRITABLE;
      await recordOutcome({ ...composedEmail, outcome });
    } catch (error) {
      const { id, merchant_id } = composedEmail.email;
      const err = { message: (error as Error).message };
      services.logger.error(
        { email: id, merchant: merchant_id, err },
        'email outcome not recorded',
      );
    }
  };
  const loop = startLoop(services, {
    name: 'emails live',
    wake: services.wake.emails,
    poll_ms: services.config.work_poll_ms,
    due: [dueEmails('live')],
    async step() {
      await sendLimiter.whenFree();
      const within = await services.within?.();
      const emails = await claim(services, { mode: 'live', within, limit: sendLimiter.free() });
      for (const composedEmail of await renderEmails(services, emails, { sends: true }))
        sendLimiter.start(() => sendOne(composedEmail));
      return emails.length > 0;
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      await Promise.race([sendLimiter.whenIdle(), sleep(STOP_MS, undefined, { ref: false })]);
      mailer[Symbol.dispose]();
      await sendLimiter.whenIdle();
    },
  };
}

function claim({ db, clock }: EmailServices, dueEmails: Omit<DueEmails, 'now'>): Promise<Row[]> {
  const now = clock.now();
  return claimEmails(db, {
    ...dueEmails,
    now: instantText(now),
    lease_until: instantText(now + seconds(LEASE_S)),
  });
}
