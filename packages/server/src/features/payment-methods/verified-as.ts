import type { Row } from '../../platform/database/row.ts';
import type { AuthenticateResult } from '../../processors/directory.ts';

/**
 * Columns of a payment method after its card's authentication. An unreachable issuer is tried again
 * before a payment. A test token's challenge counts as passed, since there is no browser.
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

/** Whether the card's issuer must still be reached; payments with the card wait. */
export const isUnverified = ({ unverified, discarded_at }: Row): boolean =>
  !!unverified && !discarded_at;
