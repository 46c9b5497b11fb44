import type { DunningFinalAction, MissedPeriods } from '@florin/contract/dunning.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { scopeOf, scopeText } from '../../../platform/database/scope.ts';
import { billingPoliciesOf } from '../sql/billing-policies.ts';
import type { BillingPolicy } from './dunning.ts';

/** Billing policies of the rows' merchants, by row. */
export async function policiesOf(
  db: Db,
  rows: readonly Row[],
): Promise<(row: Row) => BillingPolicy> {
  const policies = await billingPoliciesOf(db, rows.map(scopeOf));
  return (row) => policyOf(policies.get(scopeText(row)) as Row);
}

const policyOf = ({ dunning_days, dunning_final_action, missed_periods }: Row): BillingPolicy => ({
  dunning_days: Number(dunning_days),
  dunning_final_action: dunning_final_action as DunningFinalAction,
  missed_periods: missed_periods as MissedPeriods,
});
