import { setTimeout as sleep } from 'node:timers/promises';
import type { Mode } from '@florin/contract/protocol/vault.ts';
import { createLimiter } from '../../../platform/concurrency/limiter.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Outcome } from '../../../platform/emails/mailer.ts';
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
import { type ComposedEmail, isEnvelope, renderEmails } from '../load.ts';
import { createEmailOutcomeRecorder, recordEmailOutcomes } from '../record.ts';
import { claimEmails } from '../sql.ts';

/** Maximum number of emails that one step renders without sending. */
const RECORD_ONLY_MAX = 64;
/** Milliseconds that a shutdown waits for emails in flight. Cancelled emails are sent again. */
const STOP_MS = 5_000;
/** Lease of an email in seconds. Longer than one send can take. */
const LEASE_S = 300;

export type EmailServices = Pick<
  Services,
  'db' | 'catalog' | 'clock' | 'logger' | 'loop_statuses' | 'due_watch' | 'within'
> & {
  readonly config: Pick<Services['config'], 'smtp' | 'work_poll_ms'>;
  readonly wake: Pick<Services['wake'], 'emails'>;
};

const dueEmails = (mode: Mode): DueRows => ({ table: 'letters', condition: `t.mode = '${mode}'` });

/** Loop that renders the sandbox's emails. Sandbox emails are stored and not sent. */
export const startSandboxEmailsLoop = (services: EmailServices): AsyncDisposable =>
  startRecordOnlyLoop(services, 'sandbox', { result: 'kept' });

/**
 * Loop that renders and sends live emails, each at least once. If the process dies, its emails are
 * due again at the end of the lease, with the same message id. Without a mail server, emails fail.
 */
export function startLiveEmailsLoop(
  services: EmailServices,
  limits?: MailerLimits,
): AsyncDisposable {
  const { smtp } = services.config;
  return smtp
    ? startSendingLoop(services, createMailer(smtp, services.logger, limits))
    : startRecordOnlyLoop(services, 'live', { result: 'refused', reason: 'not_configured' });
}

/** Outcome of an email that failed to render. */
const UNWRITABLE: Outcome = { result: 'refused', reason: 'unwritable' };

/** Loop that renders emails and records the same outcome for all. */
const startRecordOnlyLoop = (
  services: EmailServices,
  mode: 'live' | 'sandbox',
  outcome: Outcome,
): AsyncDisposable =>
  startLoop(services, {
    name: `emails ${mode}`,
    wake: services.wake.emails,
    poll_ms: services.config.work_poll_ms,
    due: [dueEmails(mode)],
    async step() {
      const within = await services.within?.();
      const emails = await claim(services, { mode, within, limit: RECORD_ONLY_MAX });
      if (emails.length === 0) return false;
      const emailOutcomes = (await renderEmails(services, emails)).map((composedEmail) => ({
        ...composedEmail,
        outcome: isEnvelope(composedEmail) ? outcome : UNWRITABLE,
      }));
      await recordEmailOutcomes(services, emailOutcomes);
      // The next batch waits for the next poll, so that emails leave the CPU to payments. A drain wakes the loop,
      // and emails of an advancing clock do not wait.
      return !coversAllMerchants(within);
    },
  });

/** Loop that renders and sends emails, one at a time per connection. */
function startSendingLoop(services: EmailServices, mailer: Mailer): AsyncDisposable {
  const sendLimiter = createLimiter({ total: { max: CONNECTIONS_MAX } });
  const recordOutcome = createEmailOutcomeRecorder(services);
  const sendOne = async (composedEmail: ComposedEmail): Promise<void> => {
    try {
      const outcome = isEnvelope(composedEmail) ? await mailer.send(composedEmail) : UNWRITABLE;
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
      for (const composedEmail of await renderEmails(services, emails))
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

function claim(
  { db, clock }: EmailServices,
  claimOptions: Pick<Parameters<typeof claimEmails>[1], 'mode' | 'within' | 'limit'>,
): Promise<Row[]> {
  const now = clock.now();
  return claimEmails(db, {
    ...claimOptions,
    now: instantText(now),
    lease_until: instantText(now + seconds(LEASE_S)),
  });
}
