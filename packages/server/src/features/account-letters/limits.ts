import { problem } from '@florin/contract/errors.ts';
import { type Clock, seconds } from '../../kernel/clock.ts';
import { createLimit } from '../../kernel/limit.ts';

/** Letters within an hour that one address is sent, and that one network, account or merchant asks for. */
export const MAILS_MAX = { address: 5, network: 60, account: 10, merchant: 200 } as const;
const HOUR_SECONDS = 3_600;

/** Whether one more letter may be written. All that people ask for counts together, whoever asks. */
export interface LetterLimits {
  /** Whether the address may be sent one more. */
  address(email: string): boolean;
  network(network: string): boolean;
  account(id: string): boolean;
  merchant(id: string): boolean;
}

export function createLetterLimits(clock: Clock): LetterLimits {
  const limitOf = (max: number) => createLimit({ clock, max, window: seconds(HOUR_SECONDS) });
  const limits = {
    address: limitOf(MAILS_MAX.address),
    network: limitOf(MAILS_MAX.network),
    account: limitOf(MAILS_MAX.account),
    merchant: limitOf(MAILS_MAX.merchant),
  };
  return {
    address: (email) => limits.address.take(email.toLowerCase()),
    network: (key) => limits.network.take(key),
    account: (id) => limits.account.take(id),
    merchant: (id) => limits.merchant.take(id),
  };
}

/** Refuses letters that were asked for too often. */
export const tooManyLetters = () =>
  problem('rate_limited', 'Too many letters were asked for. Try again in an hour.', undefined, {
    headers: { 'retry-after': String(HOUR_SECONDS) },
    meta: { retry_after_seconds: HOUR_SECONDS },
  });
