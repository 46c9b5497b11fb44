import {
  type EnforcementAction,
  type MerchantStatus,
  merchantStatusOf,
} from '@florin/contract/merchant-status.ts';
import type { Row } from '../../platform/database/row.ts';
import { hasProcessor, type ProcessorLookup } from './processor.ts';

type Mode = 'live' | 'sandbox';

/**
 * Merchant status for people. `no_processor`: the merchant is active, but no processor takes its
 * payments.
 */
export type ShownMerchantStatus = MerchantStatus | 'no_processor';

/**
 * Merchant status in both modes. The row has `id`, `active_at` and the enforcement action of each
 * mode.
 */
export function merchantStatuses(
  services: ProcessorLookup,
  row: Row,
): Readonly<Record<Mode, ShownMerchantStatus>> {
  const approved = row.active_at != null;
  const statusOf = (mode: Mode): ShownMerchantStatus => {
    const action = (row[`measure_${mode}`] ?? undefined) as EnforcementAction | undefined;
    const merchant_status = merchantStatusOf({ mode, approved, action });
    return merchant_status === 'active' && !processingStatus(services, row)[mode]
      ? 'no_processor'
      : merchant_status;
  };
  return { live: statusOf('live'), sandbox: statusOf('sandbox') };
}

/** Whether a processor takes a merchant's payments, per mode. */
export function processingStatus(
  services: ProcessorLookup,
  { id }: Row,
): Readonly<Record<Mode, boolean>> {
  const takesPayments = (mode: Mode) => hasProcessor(services, { merchant_id: id as string, mode });
  return { live: takesPayments('live'), sandbox: takesPayments('sandbox') };
}
