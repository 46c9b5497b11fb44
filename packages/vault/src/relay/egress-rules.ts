import { createLru } from '@florin/contract/lru.ts';
import { findEgressViolation, type RuledRequest } from '@florin/contract/protocol/egress-rules.ts';
import type { EgressRule } from '@florin/contract/protocol/processor-accounts.ts';
import { RelayRefusal } from './refusal.ts';

const RULE_SETS_MAX = 2_000;

const parsedRules = createLru<readonly EgressRule[]>(RULE_SETS_MAX);

/** Parses the stored rules of an account. */
function parseRules(egress: string): readonly EgressRule[] {
  const known = parsedRules.get(egress);
  if (known) return known;
  const rules = JSON.parse(egress) as EgressRule[];
  parsedRules.set(egress, rules);
  return rules;
}

/** Throws a refusal unless the rules of its account allow the message. */
export function requireAllowed(egress: string, request: RuledRequest, url: URL): void {
  const violation = findEgressViolation(parseRules(egress), request, url);
  if (violation) throw new RelayRefusal(violation.why, violation.detail);
}
