import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { ChangedRow } from '../../platform/database/transition.ts';
import type { Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { appendTransfers } from './sql/ledger.ts';
import {
  transfersOfCaptures,
  transfersOfDispute,
  transfersOfPayments,
  transfersOfRefunds,
} from './transfers.ts';

/** Appends the transfers of changed payments, in the transaction of the change. */
export const postPayments = (
  services: Services,
  tx: Db,
  changedRows: readonly ChangedRow[],
  now: Micros,
): Promise<void> => appendTransfers(tx, services.catalog, transfersOfPayments(changedRows, now));

/** Appends the transfers of captures that have some of their own. A new capture has no `before`. */
export const postCaptures = (
  services: Services,
  tx: Db,
  changedRows: readonly { readonly before?: Row; readonly after: Row }[],
  now: Micros,
): Promise<void> => appendTransfers(tx, services.catalog, transfersOfCaptures(changedRows, now));

/** Appends the transfers of changed refunds. A new refund has no `before`. */
export const postRefunds = (
  services: Services,
  tx: Db,
  changedRows: readonly { readonly before?: Row; readonly after: Row }[],
  now: Micros,
): Promise<void> => appendTransfers(tx, services.catalog, transfersOfRefunds(changedRows, now));

/** Appends the transfers of a dispute's new state; `before` is the one before. */
export const postDispute = (
  { catalog }: Services,
  tx: Db,
  dispute: Row,
  now: Micros,
  before?: Row['status'],
): Promise<void> => appendTransfers(tx, catalog, transfersOfDispute(dispute, now, before));
