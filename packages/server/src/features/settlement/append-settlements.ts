import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { lockRows } from '../../platform/database/transition.ts';
import type { Services } from '../../services.ts';
import { paymentOf } from '../ledger/payment-of.ts';
import { appendTransfers } from '../ledger/sql/ledger.ts';

/**
 * Appends transfers of settled payments, and locks these against a sandbox reset. Throws if a reset has removed one
 * meanwhile: the next try compares without it.
 */
export async function appendSettlements(
  { catalog }: Pick<Services, 'catalog'>,
  tx: Db,
  transfers: readonly Row[],
): Promise<void> {
  if (transfers.length === 0) return;
  const keys = transfers.filter(({ payment_demand_id }) => payment_demand_id).map(paymentOf);
  const payments = await lockRows(tx, 'payment_demands', keys, 'keep');
  const removedKeys = new Set(keys.map(keyText).filter((key) => !payments.has(key)));
  if (removedKeys.size > 0) throw new Error(removedText(removedKeys));
  await appendTransfers(tx, catalog, transfers);
}

/** Message for the operator: keys are those of `keyText`. */
function removedText(keys: ReadonlySet<string>): string {
  const [first] = keys;
  return `${keys.size} payments of this settlement were removed, first ${first} (merchant, payment). Run \`florin ledger verify\`.`;
}
