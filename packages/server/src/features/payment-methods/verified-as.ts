import type { Row } from '../../platform/database/row.ts';
import type { AuthenticateResult } from '../../processors/port/directory.ts';

/**
 * Columns of a payment method after its card's authentication. If the issuer was unreachable, the
 * next payment authenticates again. Test tokens pass challenges, because there is no browser.
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

/** Whether a card still needs the issuer's verification. Payments with this card wait. */
export const isUnverified = ({ unverified, discarded_at }: Row): boolean =>
  !!unverified && !discarded_at;
