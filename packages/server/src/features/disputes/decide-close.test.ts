import { ProblemError } from '@florin/contract/errors.ts';
import { describe, expect, it } from 'vitest';
import { instantText, seconds } from '../../platform/time/clock.ts';
import { requireClosable, SILENT_SECONDS } from './decide-close.ts';

const changed = 1_795_232_640_000_000;
const dispute = (status: string, processor_account_id: string | null = 'a') => ({
  status,
  processor_account_id,
  updated_at: instantText(changed),
});
const account = (status: string) => ({ status, name: 'Europe' });
const SOON = changed + seconds(SILENT_SECONDS - 1);
const LATE = changed + seconds(SILENT_SECONDS);

describe('an operator', () => {
  it.each([
    ['an unanswered dispute of a removed account', 'needs_response', 'removed', SOON, 'removed'],
    ['an answered dispute of a removed account', 'under_review', 'removed', SOON, 'removed'],
    ['an answered dispute of a silent account', 'under_review', 'enabled', LATE, 'silent'],
    ['an accepted dispute of a silent account', 'accepted', 'paused', LATE, 'silent'],
  ])('may close %s', (_, status, accountStatus, now, why) => {
    expect(requireClosable(dispute(status), account(accountStatus), now)).toBe(why);
  });

  it.each([
    ['a decided dispute', dispute('won'), 'removed', LATE, 'is won already'],
    ['a dispute of the network', dispute('under_review', null), 'removed', LATE, 'simulated'],
    ['an unanswered dispute', dispute('needs_response'), 'enabled', LATE, 'can still answer'],
    ['a dispute answered lately', dispute('under_review'), 'enabled', SOON, instantText(LATE)],
  ])('may not close %s, and reads why', (_, row, accountStatus, now, words) => {
    const close = () => requireClosable(row, account(accountStatus), now);
    expect(close).toThrow(ProblemError);
    expect(close).toThrow(words);
  });
});
