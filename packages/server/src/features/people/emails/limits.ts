import { problem } from '@florin/contract/errors.ts';
import type { EmailLimits } from '../../../services.ts';
import { createSharedLimit, type LimitServices } from '../accounts/shared-limit.ts';

/**
 * Emails per hour to one address, and for one network, account or merchant. Password resets have
 * their own count, so that other emails to an address cannot block them.
 */
export const MAILS_MAX = { address: 5, reset: 5, network: 60, account: 10, merchant: 200 } as const;
const HOUR_SECONDS = 3_600;

export function createEmailLimits(services: LimitServices): EmailLimits {
  const limitFor = (limitName: keyof typeof MAILS_MAX) =>
    createSharedLimit(services, {
      name: `letters ${limitName}`,
      max: MAILS_MAX[limitName],
      window_seconds: HOUR_SECONDS,
    }).take;
  const [address, reset] = [limitFor('address'), limitFor('reset')];
  return {
    countEmailTo: (email, tx) => address(email.toLowerCase(), tx),
    countReset: (email) => reset(email.toLowerCase()),
    countNetwork: limitFor('network'),
    countAccount: limitFor('account'),
    countMerchant: limitFor('merchant'),
  };
}

/** Error 429 for emails that were requested too often. */
export const tooManyEmails = () =>
  problem('rate_limited', 'Too many emails were requested. Try again in an hour.', undefined, {
    headers: { 'retry-after': String(HOUR_SECONDS) },
    meta: { retry_after_seconds: HOUR_SECONDS },
  });
