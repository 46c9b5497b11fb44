import { mailWayOf } from '../../../config/config.ts';
import type { Row } from '../../../platform/database/row.ts';
import { createMailer, type Mailer, type MailerLimits } from '../../../platform/emails/mailer.ts';
import type { Draft } from '../../../platform/emails/parts.ts';
import { instantText, seconds } from '../../../platform/time/clock.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { draftAccountLetter } from '../emails/draft.ts';
import { bodyPlace } from '../emails/write.ts';
import {
  type AccountLetterOutcome,
  claimAccountLetters,
  concludeAccountLetter,
} from '../sql/account-letters.ts';

const CLAIMED_MAX = 8;
/** Longer than one email may take. */
const LEASE_S = 300;
/** Waits after failed attempts: a link that arrives later is useless. */
export const ACCOUNT_EMAIL_RETRY_WAITS_SECONDS = [10, 60, 300, 900] as const;

type LetterServices = Pick<
  Services,
  'db' | 'machine' | 'config' | 'logger' | 'pulses' | 'sealer' | 'wake'
>;

/**
 * Renders account emails, and sends them, or stores them in the test mailbox if there is no mail
 * server. If the process dies, the email is due again when its lease ends.
 */
export function startAccountLettersLoop(
  services: LetterServices,
  limits?: MailerLimits,
): AsyncDisposable {
  const { smtp, work_poll_ms: poll_ms } = services.config;
  const mailer = smtp && createMailer(smtp, services.logger, limits);
  const loop = startLoop({
    name: 'account letters',
    logger: services.logger,
    pulses: services.pulses,
    wake: services.wake.account_letters,
    poll_ms,
    async step() {
      const now = services.machine.now();
      const letters = await claimAccountLetters(services.db, {
        now: instantText(now),
        lease_until: instantText(now + seconds(LEASE_S)),
        limit: CLAIMED_MAX,
      });
      await Promise.all(letters.map((letter) => handle(services, mailer, letter)));
      return letters.length > 0;
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      mailer?.[Symbol.dispose]();
      await loop[Symbol.asyncDispose]();
    },
  };
}

async function handle(
  services: LetterServices,
  mailer: Mailer | undefined,
  letter: Row,
): Promise<void> {
  try {
    const draft = await draftAccountLetter(services, letter);
    const outcome = draft ? await send(services, mailer, letter, draft) : over('not_wanted');
    await concludeAccountLetter(services.db, letter.id as string, outcome);
  } catch (error) {
    const err = { message: (error as Error).message };
    services.logger.error({ letter: letter.id, err }, 'account email not sent');
  }
}

const over = (failure_reason: string): AccountLetterOutcome => ({
  due_at: null,
  sent_at: null,
  failure_reason,
  body: null,
});

async function send(
  services: LetterServices,
  mailer: Mailer | undefined,
  letter: Row,
  draft: Draft,
): Promise<AccountLetterOutcome> {
  const now = services.machine.now();
  const done = { due_at: null, sent_at: instantText(now), failure_reason: null, body: null };
  if (!mailer) {
    if (mailWayOf(services.config) === 'none') return over('not_configured');
    return { ...done, body: services.sealer.seal(JSON.stringify(draft), bodyPlace(letter)) };
  }
  const outcome = await mailer.send({ letter, draft, from_name: 'Florin', reply_to: undefined });
  if (outcome.result === 'sent') return done;
  const why = 'why' in outcome ? outcome.why : 'unreachable';
  const wait =
    outcome.result === 'delayed' && ACCOUNT_EMAIL_RETRY_WAITS_SECONDS[Number(letter.tries_count)];
  return wait ? { ...over(why), due_at: instantText(now + seconds(wait)) } : over(why);
}
