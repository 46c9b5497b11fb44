import type { Db } from '../../platform/database/db.ts';
import { lockRules } from '../processor-accounts/sql.ts';
import { describeRuleOrder } from './decide.ts';
import { countRules, insertFirst, readLateRules, readOwnRules } from './sql/rules.ts';
import type { Arrival } from './tables.ts';

/**
 * Puts the rules for a merchant alone before all rules of the target. Changes of rules there wait until the transaction
 * ends. `accounts` has all accounts of the rules. Throws an `Error` for people if rules have changed since the command
 * looked at them.
 */
export async function copyRules(
  source: Db,
  target: Db,
  merchant_id: string,
  accounts: Arrival['accounts'],
): Promise<void> {
  const rules = await readOwnRules(source, merchant_id);
  if (rules.length === 0) return;
  await lockRules(target);
  const changes = describeRuleOrder(
    await readLateRules(source, merchant_id),
    await countRules(source, merchant_id),
    await countRules(target, merchant_id),
  );
  if (changes.length > 0)
    throw new Error(
      `routing rules have changed since the command began:\n${changes.map((line) => `  ${line}`).join('\n')}`,
    );
  // From the last to the first, so that each comes before those that are stored.
  for (const rule of rules.toReversed()) {
    const ids = JSON.parse(rule.accounts as string) as string[];
    await insertFirst(
      target,
      rule,
      ids.map((id) => accounts[id] ?? id),
    );
  }
}
