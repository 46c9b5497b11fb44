import type { AuthenticateResult } from '../../processors/processor.ts';
import type { Row } from '../../store/row.ts';
import { intentTrigger, isChangeable } from '../payments/decide.ts';
import type { Decision } from '../records/updater.ts';

/** Puts a verified card and its 3-D Secure results on a payment; does nothing where it was confirmed meanwhile. */
export function decideAttach(
  row: Row,
  method: Row,
  authentication: AuthenticateResult,
  timezone: string,
): Decision {
  if (!isChangeable(row.status as string)) return { set: {}, events: [] };
  const set: Row = {
    payment_method_id: method.id as string,
    payer_timezone: timezone,
    ...threeDSecureColumns(authentication),
  };
  const trigger = intentTrigger({ ...row, ...set }, 'when_available');
  return { set, events: [], ...(trigger && { trigger }) };
}

const threeDSecureColumns = (authentication: AuthenticateResult): Row => ({
  threeds_version: authentication.version,
  threeds_status: authentication.status,
  threeds_cryptogram: authentication.cryptogram ?? null,
  eci: authentication.eci,
  directory_transaction_eid: authentication.directory_transaction_eid ?? null,
  acs_transaction_eid: authentication.acs_transaction_eid ?? null,
});
