import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Changed } from '../../platform/database/transition.ts';
import type { Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { appendTransfers } from './sql/ledger.ts';
import { transferOfDispute, transfersOfPayments, transfersOfRefunds } from './transfers.ts';

/** Posts transfers of changed payments, in their transaction. */
export const postPayments = (
  services: Services,
  tx: Db,
  changed: readonly Changed[],
  now: Micros,
): Promise<void> => appendTransfers(tx, services.catalog, transfersOfPayments(changed, now));

/** Posts transfers of changed refunds; a new one has no `before`. */
export const postRefunds = (
  services: Services,
  tx: Db,
  changed: readonly { readonly before?: Row; readonly after: Row }[],
  now: Micros,
): Promise<void> => appendTransfers(tx, services.catalog, transfersOfRefunds(changed, now));

/** Posts the transfer of a dispute with a new state. */
export const postDispute = (
  { catalog }: Services,
  tx: Db,
  dispute: Row,
  now: Micros,
): Promise<void> => appendTransfers(tx, catalog, transferOfDispute(dispute, now));
