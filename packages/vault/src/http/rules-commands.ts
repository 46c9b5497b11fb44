import type { Audit } from '../audit/audit.ts';
import {
  acceptSnapshot,
  type ConsentDeps,
  loadConsent,
  requireBoundLogins,
} from '../consent/accept.ts';
import { describeMerchant } from '../consent/describe-merchant.ts';
import { findRefused, refuseSnapshot, withdrawSnapshot } from '../consent/refuse.ts';
import { describeRules } from '../consent/rules.ts';
import { describeSnapshot, isWaiting, type Snapshot } from '../consent/snapshots.ts';
import { badRequest } from '../kernel/errors.ts';
import { accountKeyOf } from '../processor-accounts/account-store.ts';
import type { Sender } from '../relay/sender.ts';
import type { ReportProgress } from '../rotation/progress.ts';
import { type Input, toBoolean, toId } from './input.ts';

interface RulesCommandDeps extends ConsentDeps {
  readonly audit: Pick<Audit, 'record'>;
  readonly sender: Pick<Sender, 'closeAccount'>;
}

const ACTOR = 'operator';

/** Lists what each account may send, and what the server stored that waits for an operator. */
export async function listRules(deps: RulesCommandDeps, report: ReportProgress): Promise<void> {
  const { stored, accepted } = await loadConsent(deps);
  const refused = await findRefused(deps.db);
  const acceptedByAccount = new Map(accepted.map((snapshot) => [accountKeyOf(snapshot), snapshot]));
  for (const snapshot of accepted) reportSnapshot(report, 'accepted', snapshot);
  let pendingCount = 0;
  for (const snapshot of stored) {
    const known = acceptedByAccount.get(accountKeyOf(snapshot));
    if (snapshot.id === known?.id) continue;
    const state = stateOf(snapshot, known, refused);
    if (state === 'pending') pendingCount++;
    reportSnapshot(report, state, snapshot, known);
  }
  if (stored.length === 0) report('No account at a processor is stored.');
  if (pendingCount > 0)
    report(
      'Compare addresses, merchant, places, logins, headers and digests with what you entered. Then run "vault rules accept ID", or "vault rules withdraw ID" for what you do not know.',
    );
}

type StoredState = 'pending' | 'refused' | 'without unused parts';

function stateOf(
  snapshot: Snapshot,
  known: Snapshot | undefined,
  refused: ReadonlySet<string>,
): StoredState {
  if (!isWaiting(snapshot, known)) return 'without unused parts';
  return refused.has(accountKeyOf(snapshot)) ? 'refused' : 'pending';
}

function reportSnapshot(
  report: ReportProgress,
  state: 'accepted' | StoredState,
  snapshot: Snapshot,
  accepted?: Snapshot,
): void {
  report(`${snapshot.id} ${state}: account ${snapshot.account_id}, ${snapshot.mode}`);
  for (const line of describeSnapshot(snapshot, accepted)) report(line);
}

/** Accepts the rules and secrets with an id of the list. Repeated, it changes nothing. */
export async function acceptRules(
  deps: RulesCommandDeps,
  input: Input,
  report: ReportProgress,
): Promise<void> {
  const { id, dry_run } = parse(input);
  const { stored, accepted } = await loadConsent(deps);
  if (accepted.some((snapshot) => snapshot.id === id))
    return report(`${id} is accepted. Nothing was changed.`);
  const snapshot = stored.find((candidate) => candidate.id === id);
  if (!snapshot) throw badRequest(notPending(id));
  requireBoundLogins(snapshot);
  if (dry_run) return report(`Would accept ${id} of ${nameOf(snapshot)}. Nothing was changed.`);
  const entry = entryOf('accept_rules', snapshot);
  await deps.audit.record({ ...entry, outcome: `requested: ${entry.outcome}` });
  if (!(await acceptSnapshot(deps, snapshot))) throw badRequest(notPending(id));
  await deps.audit.record(entry);
  report(
    `Accepted ${id} of ${nameOf(snapshot)}. Cards and secrets of this account may leave from now on.`,
  );
}

const notPending = (id: string): string =>
  `Nothing with the id ${id} waits. The account may have changed meanwhile: list the rules again.`;

/**
 * Withdraws accepted rules and secrets by their id, or refuses stored ones that wait. Repeated, it changes nothing.
 */
export async function withdrawRules(
  deps: RulesCommandDeps,
  input: Input,
  report: ReportProgress,
): Promise<void> {
  const { id, dry_run } = parse(input);
  const { stored, accepted } = await loadConsent(deps);
  const snapshot = accepted.find((candidate) => candidate.id === id);
  if (!snapshot) return refuse(deps, { id, dry_run, stored, accepted }, report);
  if (dry_run) return report(`Would withdraw ${id} of ${nameOf(snapshot)}. Nothing was changed.`);
  const entry = entryOf('withdraw_rules', snapshot);
  await deps.audit.record({ ...entry, outcome: `requested: ${entry.outcome}` });
  await withdrawSnapshot(deps, snapshot);
  deps.sender.closeAccount(snapshot);
  await deps.audit.record(entry);
  report(`Withdrew ${id} of ${nameOf(snapshot)}. No card and no secret of it leaves any more.`);
}

interface Refusal {
  readonly id: string;
  readonly dry_run: boolean;
  readonly stored: readonly Snapshot[];
  readonly accepted: readonly Snapshot[];
}

async function refuse(
  deps: RulesCommandDeps,
  { id, dry_run, stored, accepted }: Refusal,
  report: ReportProgress,
): Promise<void> {
  const snapshot = stored.find((candidate) => candidate.id === id);
  if (!snapshot)
    throw badRequest(`Nothing with the id ${id} is accepted or waits: list the rules.`);
  if ((await findRefused(deps.db)).has(accountKeyOf(snapshot)))
    return report(`${id} does not wait. Nothing was changed.`);
  if (dry_run) return report(`Would refuse ${id} of ${nameOf(snapshot)}. Nothing was changed.`);
  const entry = entryOf('refuse_rules', snapshot);
  await deps.audit.record({ ...entry, outcome: `requested: ${entry.outcome}` });
  if (!(await refuseSnapshot(deps, snapshot))) throw badRequest(notPending(id));
  await deps.audit.record(entry);
  const inUse = accepted.find((copy) => accountKeyOf(copy) === accountKeyOf(snapshot));
  const note = inUse
    ? ` ${inUse.id} is accepted and stays in use: withdraw ${inUse.id} to stop the account.`
    : '';
  report(
    `Refused ${id} of ${nameOf(snapshot)}. No operator is asked again, unless the server changes the account.${note}`,
  );
}

const parse = ({ id, dry_run = false }: Input) => ({
  id: toId(id, 'id'),
  dry_run: toBoolean(dry_run, 'dry_run'),
});

const nameOf = ({ account_id, mode }: Snapshot): string => `account ${account_id}, ${mode}`;

const entryOf = (verb: string, { id, account_id, mode, merchant_id, egress, secrets }: Snapshot) =>
  ({
    actor: ACTOR,
    verb,
    mode,
    outcome: `${account_id} ${id}, ${describeMerchant(merchant_id)}, ${describeRules(egress ?? [])}, secrets ${secrets.map(({ name }) => name).join(', ')}`,
  }) as const;
