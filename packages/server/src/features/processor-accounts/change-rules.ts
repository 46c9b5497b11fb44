import { type Problem, ProblemError, problem } from '@florin/contract/errors.ts';
import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText } from '../../platform/time/clock.ts';
import { NETWORK } from '../../processors/route.ts';
import type { RoutingRule } from '../../processors/routing-rule.ts';
import type { Services } from '../../services.ts';
import { findMovingOwner, lockRules, replaceRules, selectMerchantIds, selectRules } from './sql.ts';

/** Seconds until an operator should repeat a change that a move refused. */
const RETRY_AFTER_S = 2;

/** A rule as an operator writes it. */
export type RuleDraft = Omit<RoutingRule, 'mode'>;

/** Entity tag of the rules of a mode, in order. Each change stores all of them with new ids. */
export const rulesTag = ([first]: readonly Row[]): string => `"${first?.id ?? 'none'}.rules"`;

/**
 * Replaces all rules of a mode. Throws 422 if a rule names an account that the mode does not have. Throws 412 if the
 * rules changed after the tag that `if_match` names; undefined replaces any rules. Throws 503 while a merchant with rules
 * of its own moves between cells.
 */
export async function changeRules(
  services: Pick<Services, 'db' | 'accounts' | 'processorOf' | 'system_clock'>,
  mode: Mode,
  drafts: readonly RuleDraft[],
  if_match?: string,
): Promise<void> {
  const merchants = drafts.flatMap(({ merchant_id }) => merchant_id ?? []);
  const known = merchants.length > 0 ? await selectMerchantIds(services.db, merchants) : [];
  const problems = drafts.flatMap((draft, at) => [
    ...merchantProblem(draft, known, at),
    ...problemsOf(services, mode, draft, at),
  ]);
  if (problems.length > 0) throw new ProblemError(problems);
  const now = services.system_clock.now();
  const rows = drafts.map(({ name, merchant_id, conditions, accounts, fallback }, position) => ({
    id: uuidv7(now),
    merchant_id,
    mode,
    position: String(position),
    name,
    conditions: JSON.stringify(conditions),
    accounts: JSON.stringify(accounts),
    fallback,
    created_at: instantText(now),
  }));
  await services.db.transaction(async (tx) => {
    await lockRules(tx);
    await requireSameRules(tx, mode, if_match);
    requireNoMove(await findMovingOwner(tx, mode, merchants));
    await replaceRules(tx, mode, rows);
  });
  await services.accounts.refresh();
}

async function requireSameRules(tx: Db, mode: Mode, if_match: string | undefined): Promise<void> {
  if (if_match === undefined) return;
  if (if_match === rulesTag(await selectRules(tx, mode))) return;
  throw problem(
    'stale_record',
    'The rules have changed since you read them. Read them again, and repeat your change.',
    { header: 'If-Match' },
  );
}

/** The other cell would lack the change. The fence of the move refuses it too, without the next step. */
function requireNoMove(merchant_id: string | undefined): void {
  if (merchant_id === undefined) return;
  throw problem(
    'unavailable',
    `The rules stay as they are while the merchant ${merchant_id} moves to another cell, which takes seconds. Then read them again, and repeat your change.`,
    undefined,
    { headers: { 'retry-after': String(RETRY_AFTER_S) } },
  );
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
  { name, accounts: ids, merchant_id }: RuleDraft,
  at: number,
): Problem[] {
  const isKnown = (id: string): boolean => {
    if (id === NETWORK) return processorOf(mode) !== undefined;
    const account = accounts.find(id);
    const isOwn = account?.merchant_id === null || account?.merchant_id === merchant_id;
    return account?.mode === mode && account.status !== 'removed' && isOwn;
  };
  const detailOf = (id: string): string => {
    const account = accounts.find(id);
    return account?.status === 'removed'
      ? `Rule "${name}" names ${account.name} (${id}), which is removed. Take it out of rules[${at}].accounts.`
      : `rules[${at}].accounts names ${id}, which is no ${mode} account of this rule's merchants.`;
  };
  return ids
    .filter((id) => !isKnown(id))
    .map((id) => ({
      code: 'not_in_list',
      detail: detailOf(id),
      source: { pointer: `/rules/${at}/accounts` },
    }));
}
