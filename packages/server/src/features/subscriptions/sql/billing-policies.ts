import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { type Scope, scopeText } from '../../../platform/database/scope.ts';
import { modeColumns } from '../../../platform/mode-columns.ts';

const POLICY_COLUMNS = ['dunning_days', 'dunning_final_action', 'missed_periods'] as const;

/** Billing policies by merchant and mode, as `scopeText` writes them. */
export async function billingPoliciesOf(
  db: Db,
  scopes: readonly Scope[],
): Promise<ReadonlyMap<string, Row>> {
  const distinct = [...new Map(scopes.map((scope) => [scopeText(scope), scope])).values()];
  const rows = await db.query(
    `select s.merchant_id, s.mode, ${modeColumns(POLICY_COLUMNS, { mode: 's.mode', alias: 'm' })}
     from unnest($1::uuid[], $2::text[]) s (merchant_id, mode) join merchants m on m.id = s.merchant_id`,
    [distinct.map(({ merchant_id }) => merchant_id), distinct.map(({ mode }) => mode)],
    'billing_policies',
  );
  return new Map(rows.map((row) => [scopeText(row), row]));
}
