import { canonicalJson } from '@florin/contract/canonical-json.ts';
import { isKnownRule } from '@florin/contract/protocol/known-rules.ts';
import {
  EGRESS_RULES_MAX,
  type EgressRule,
  type ProcessorAccountRef,
} from '@florin/contract/protocol/processor-accounts.ts';
import type { Audit } from '../audit/audit.ts';
import type { Db } from '../store/db.ts';
import { addRules, describeRules, rulesOf } from './rules.ts';

interface RulesRow {
  readonly origins: readonly string[];
  readonly egress: string;
  readonly accepted: string;
}

/**
 * Adds rules of shipped adapters to an accepted account without an operator, as after an upgrade. With an unknown rule
 * all of them wait: a message without a card carries the accepted login too.
 */
export async function acceptKnownRules(
  { db, audit }: { readonly db: Db; readonly audit: Pick<Audit, 'record'> },
  { account_id, mode }: ProcessorAccountRef,
): Promise<void> {
  const [row] = await db.query<RulesRow>(
    `select accepted.origins, account.egress::text as egress, coalesce(accepted.egress, '[]')::text as accepted
     from vault.processor_accounts account join vault.accepted_accounts accepted using (account_id, mode)
     where account_id = $1 and mode = $2 and account.origins = accepted.origins
       and account.egress is not null and account.egress is distinct from accepted.egress`,
    [account_id, mode],
  );
  if (!row) return;
  const stored = JSON.parse(row.egress) as EgressRule[];
  const accepted = JSON.parse(row.accepted) as EgressRule[];
  if (!stored.every(knownTo(row.origins, accepted))) return;
  const egress = addRules(accepted, stored);
  const isUnchanged = canonicalJson(egress) === canonicalJson(accepted);
  // Accepted rules stay, so a server could add others without end.
  if (isUnchanged || egress.length > EGRESS_RULES_MAX) return;
  const entry = { actor: 'schedule', verb: 'accept_rules', mode } as const;
  const subject = `${account_id} known ${describeRules(egress)}`;
  await audit.record({ ...entry, outcome: `requested: ${subject}` });
  const changed = await db.query(
    `update vault.accepted_accounts set egress = $3
     where account_id = $1 and mode = $2 and coalesce(egress, '[]') = $4::jsonb returning account_id`,
    [account_id, mode, JSON.stringify(egress), row.accepted],
  );
  if (changed.length > 0) await audit.record({ ...entry, outcome: subject });
}

/** Whether a rule was accepted or is one of a shipped adapter, at an accepted address. */
function knownTo(origins: readonly string[], accepted: readonly EgressRule[]) {
  const acceptedRules = rulesOf(accepted);
  return (rule: EgressRule): boolean =>
    origins.includes(rule.origin) && (acceptedRules.has(canonicalJson(rule)) || isKnownRule(rule));
}
