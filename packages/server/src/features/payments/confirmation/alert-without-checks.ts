import type { CheckRule } from '@florin/contract/risk/check-rules.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyOf } from '../../../platform/database/row-key.ts';
import type { Services } from '../../../services.ts';
import { insertAlerts, newAlert } from '../../records/alert.ts';
import { refusedMismatchesOf } from '../sql/refused-mismatches.ts';
import { lacksChecks } from './rules-about-checks.ts';

/** Failed checks after which the merchant of an attempt refuses approved payments. */
export const rulesOf = async (tx: Db, attempt: Row): Promise<readonly CheckRule[]> =>
  (await refusedMismatchesOf(tx, [keyOf(attempt)])).get(attempt.id as string) ?? [];

/** Tells the merchant's members that a person confirmed a payment whose checks nobody knows, if rules are about them. */
export async function alertWithoutChecks(
  { catalog, clock, system_clock }: Services,
  tx: Db,
  { attempt, demand }: { readonly attempt: Row; readonly demand: Row },
  rules: readonly CheckRule[],
): Promise<void> {
  if (!lacksChecks(attempt, demand, rules)) return;
  const parameters = { payment: demand.id as string };
  const message = { code: 'payment_confirmed_without_checks', parameters } as const;
  const alert = newAlert(demand, clock.now(), { message });
  await insertAlerts(tx, catalog, [alert], system_clock.now());
}
