import {
  type EnforcementAction,
  type MerchantStatus,
  merchantStatusOf,
} from '@florin/contract/merchant-status.ts';
import type { Row } from '../../platform/database/row.ts';
import { hasProcessor, type Processing } from '../merchants/processor.ts';

type Mode = 'live' | 'sandbox';

/** How people see a merchant stand: `no_processor` is active, but nothing takes its payments. */
export type ShownStanding = MerchantStatus | 'no_processor';

/** How a merchant stands in both modes, of a row with `id`, `active_at` and the measures of the modes. */
export function standings(services: Processing, row: Row): Readonly<Record<Mode, ShownStanding>> {
  const approved = row.active_at != null;
  const of = (mode: Mode): ShownStanding => {
    const action = (row[`measure_${mode}`] ?? undefined) as EnforcementAction | undefined;
    const standing = merchantStatusOf({ mode, approved, action });
    return standing === 'active' && !processing(services, row)[mode] ? 'no_processor' : standing;
  };
  return { live: of('live'), sandbox: of('sandbox') };
}

/** In which modes a processor takes a merchant's payments. */
export function processing(services: Processing, { id }: Row): Readonly<Record<Mode, boolean>> {
  const of = (mode: Mode) => hasProcessor(services, { merchant_id: id as string, mode });
  return { live: of('live'), sandbox: of('sandbox') };
}
