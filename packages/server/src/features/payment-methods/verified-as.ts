import type { Row } from '../../platform/database/row.ts';
import type { AuthenticateResult } from '../../processors/directory.ts';

/**
 * The columns that a card's authentication gives its payment method. A bank that could not be asked is asked again
 * before a payment. The challenge of a test token counts as passed: there is no browser to show it in.
 */
export function verifiedAs(result: AuthenticateResult['result'], isTestToken: boolean): Row {
  if (result === 'unavailable')
    return { external_state: 'pending', unverified: isTestToken ? 'test_token' : 'token' };
  const isPassed = isTestToken && result === 'challenge';
  return { external_state: isPassed ? 'confirmed' : stateAfter(result), unverified: null };
}

function stateAfter(
  result: Exclude<AuthenticateResult['result'], 'unavailable'>,
): 'pending' | 'confirmed' | 'failed' {
  switch (result) {
    case 'authenticated':
    case 'not_authenticated':
    case 'not_enrolled':
      return 'confirmed';
    case 'rejected':
      return 'failed';
    case 'challenge':
      return 'pending';
  }
}

/** Whether the card's bank is still to be asked, so that payments with it wait. */
export const isUnverified = ({ unverified, discarded_at }: Row): boolean =>
  !!unverified && !discarded_at;
