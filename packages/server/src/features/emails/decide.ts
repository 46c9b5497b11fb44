import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Outcome } from '../../platform/emails/mailer.ts';
import { instantText, type Micros, seconds } from '../../platform/time/clock.ts';

/**
 * Seconds between retries of an email, nearly three days in total. After the last retry, the email
 * fails.
 */
export const EMAIL_RETRY_WAITS_SECONDS = [
  60, 300, 1_800, 7_200, 21_600, 43_200, 86_400, 86_400,
] as const;

/** Outcome of an email that nothing sends: of the sandbox, or live without a mail server. */
export const outcomeWithoutSending = (mode: Mode): Outcome =>
  mode === 'sandbox' ? { result: 'kept' } : { result: 'refused', reason: 'not_configured' };

/** Change of a pending email's row. */
interface EmailChange {
  readonly trigger: 'keep' | 'send' | 'retry' | 'fail';
  readonly set: Row;
}

/** Effect of an outcome on an email. */
export function decideEmail(email: Row, outcome: Outcome, now: Micros): EmailChange {
  const endedColumns = { due_at: null };
  if (outcome.result === 'kept') return { trigger: 'keep', set: endedColumns };
  const attempts = Number(email.tries_count) + 1;
  const triedColumns = { ...endedColumns, tries_count: String(attempts) };
  if (outcome.result === 'sent') {
    const set = { ...triedColumns, sent_at: instantText(now), failure_reason: null };
    return { trigger: 'send', set };
  }
  const failedColumns = { ...triedColumns, failure_reason: outcome.reason };
  const waitSeconds =
    outcome.result === 'delayed' ? EMAIL_RETRY_WAITS_SECONDS[attempts - 1] : undefined;
  if (waitSeconds === undefined) return { trigger: 'fail', set: failedColumns };
  return {
    trigger: 'retry',
    set: { ...failedColumns, due_at: instantText(now + seconds(waitSeconds)) },
  };
}
