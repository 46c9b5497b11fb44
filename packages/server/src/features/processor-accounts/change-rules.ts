import { type Problem, ProblemError } from '@florin/contract/errors.ts';
import type { Mode } from '@florin/contract/protocol/vault.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText } from '../../platform/time/clock.ts';
import { NETWORK } from '../../processors/route.ts';
import type { RoutingRule } from '../../processors/routing-rule.ts';
import type { Services } from '../../services.ts';
import { replaceRules, selectMerchantIds } from './sql.ts';

/** A rule as an operator writes it. */
export type RuleDraft = Omit<RoutingRule, 'mode'>;

/** Replaces all rules of a mode. Throws 422 if a rule names an account that the mode does not have. */
export async function changeRules(
  services: Pick<Services, 'db' | 'accounts' | 'processorOf' | 'system_clock'>,
  mode: Mode,
  drafts: readonly RuleDraft[],
): Promise<void> {
  const merchants = drafts.flatMap(({ merchant_id }) => merchant_id ?? []);
  const known = merchants.length > 0 ? await selectMerchantIds(services.db, merchants) : [];
  const problems = drafts.flatMap((draft, at) => [
    ...merchantProblem(draft, known, at),
    ...problemsOf(services, mode, draft, at),
  ]);
  if (problems.length > 0) throw new ProblemError(problems);
  const now = services.system_clock.now();
  const rows = drafts.map(({ name, merchant_id, conditions, accounts }, position) => ({
    id: uuidv7(now),
    merchant_id,
    mode,
    position: String(position),
    name,
    conditions: JSON.stringify(conditions),
    accounts: JSON.stringify(accounts),
    created_at: instantText(now),
  }));
  await services.db.transaction((tx) => replaceRules(tx, mode, rows));
  await services.accounts.refresh();
}

function merchantProblem(
  { merchant_id }: RuleDraft,
  known: readonly string[],
  at: number,
): Problem[] {
  if (merchant_id === null || known.includes(merchant_id)) return [];
  const detail = `rules[${at}].merchant_id names no merchant: ${merchant_id}.`;
  return [
    {
      code: 'invalid',
      detail,
      source: { pointer: `/rules/${at}/merchant_id` },
    },
  ];
}

function problemsOf(
  { accounts, processorOf }: Pick<Services, 'accounts' | 'processorOf'>,
  mode: Mode,
  { accounts: ids, merchant_id }: RuleDraft,
  at: number,
): Problem[] {
  const isKnown = (id: string): boolean => {
    if (id === NETWORK) return processorOf(mode) !== undefined;
    const account = accounts.find(id);
    const isOwn = account?.merchant_id === null || account?.merchant_id === merchant_id;
    return account?.mode === mode && account.status !== 'removed' && isOwn;
  };
  return ids
    .filter((id) => !isKnown(id))
    .map((id) => ({
      code: 'not_in_list',
      detail: `rules[${at}].accounts names ${id}, which is no ${mode} account of this rule's merchants.`,
      source: { pointer: `/rules/${at}/accounts` },
    }));
}
