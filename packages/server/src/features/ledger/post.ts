import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Changed } from '../../platform/database/transition.ts';
import type { Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { appendTransfers } from './sql/ledger.ts';
import { transferOfDispute, transfersOfPayments, transfersOfRefunds } from './transfers.ts';

/** Writes what changes of payments do to the ledger, in their transaction. */
export const postPayments = (
  services: Services,
  tx: Db,
  changed: readonly Changed[],
  now: Micros,
): Promise<void> => appendTransfers(tx, services.catalog, transfersOfPayments(changed, now));

/** The same of refunds; one that was just made has no `before`. */
export const postRefunds = (
  services: Services,
  tx: Db,
  changed: readonly { readonly before?: Row; readonly after: Row }[],
  now: Micros,
): Promise<void> => appendTransfers(tx, services.catalog, transfersOfRefunds(changed, now));

/** The same of a dispute whose state is new. */
export const postDispute = (
  { catalog }: Services,
  tx: Db,
  dispute: Row,
  now: Micros,
): Promise<void> => appendTransfers(tx, catalog, transferOfDispute(dispute, now));
