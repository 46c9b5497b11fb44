import type { Row } from '../../platform/database/row.ts';
import type { RoutingRule } from '../../processors/routing-rule.ts';

/** Maximum number of rules of a mode. */
export const RULES_MAX = 500;

/** Makes a rule of its row. */
export const ruleOf = ({
  name,
  merchant_id,
  mode,
  conditions,
  accounts,
  fallback,
}: Row): RoutingRule => ({
  name: name as string,
  merchant_id: merchant_id ?? null,
  mode: mode as RoutingRule['mode'],
  conditions: JSON.parse(conditions as string) as RoutingRule['conditions'],
  accounts: JSON.parse(accounts as string) as readonly string[],
  fallback: fallback as RoutingRule['fallback'],
});
