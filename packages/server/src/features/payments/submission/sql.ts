import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { scopeText } from '../../../platform/database/scope.ts';
import { feePlanKey } from '../../ledger/sql/fee-plans.ts';
import type { Restrictions } from './decide-submission.ts';

/** Facts about merchants that submit payments. */
export interface SubmitterFacts {
  /** Restrictions of a merchant's mode, by `scopeText`; absent: none. */
  readonly restrictions: ReadonlyMap<string, Restrictions>;
  /** Fee plans, by `feePlanKey`. */
  readonly fees: ReadonlyMap<string, Row>;
}

/** Loads the facts with one statement. Locks nothing: the caller shares the merchants' status. */
export async function submitterFactsOf(
  tx: Db,
  merchants: readonly string[],
): Promise<SubmitterFacts> {
  const rows = await tx.query(
    `select 'stopped' as fact, merchant_id, mode, null as amount_currency, null::bigint as basis_points,
         null::bigint as fixed_cents
       from merchant_punitive_actions where merchant_id = any ($1::uuid[]) and status = 'in_force'
     union all
     select 'limited', merchant_id, mode, null, null, null
       from velocity_limits where merchant_id = any ($1::uuid[]) and removed_at is null
     union all
     select 'fees', merchant_id, null, amount_currency, basis_points, fixed_cents
       from fee_plans where merchant_id = any ($1::uuid[])`,
    [merchants],
    'submitter_facts',
  );
  const { fees = [], ...restricting } = Object.groupBy(rows, ({ fact }) => fact as string);
  return {
    restrictions: restrictionsIn(Object.values(restricting).flatMap((found = []) => found)),
    fees: new Map(fees.map((row) => [feePlanKey(row), row])),
  };
}

function restrictionsIn(rows: readonly Row[]): ReadonlyMap<string, Restrictions> {
  const byScope = Map.groupBy(rows, scopeText);
  return new Map(
    [...byScope].map(([scope, found]) => {
      const has = (name: string): boolean => found.some(({ fact }) => fact === name);
      return [scope, { stopped: has('stopped'), limited: has('limited') }];
    }),
  );
}
