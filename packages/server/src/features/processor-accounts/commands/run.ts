import { ProblemError, problem } from '@florin/contract/errors.ts';
import type { AccountName, ProcessorCommand } from '@florin/contract/protocol/processor-command.ts';
import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Relay } from '../../../processors/wire/relay.ts';
import { ACCOUNTS_MAX } from '../accounts.ts';
import {
  type AccountServices,
  changeAccount,
  checkAccount,
  choicesOf,
  createAccount,
  enableAccount,
  pauseAccount,
} from '../change.ts';
import { changeRules } from '../change-rules.ts';
import { readAccountChange, readAccountDraft } from '../read-account.ts';
import { readFacts, readRules } from '../read-rules.ts';
import { obligationsOf, removeAccount } from '../remove.ts';
import { type RoutingServices, routePayment } from '../route-payment.ts';
import { ruleOf } from '../rules.ts';
import { selectAccounts, selectRules } from '../sql.ts';
import { connectStandIn, type StandInRequest } from '../stand-ins/connect.ts';
import { renewStandIn } from '../stand-ins/renew.ts';
import {
  describeAccounts,
  describeProcessors,
  describeRoute,
  describeRules,
  titleOf,
} from './describe.ts';
import { findNamedAccount } from './find-account.ts';
import { readRefusals } from './read-refusals.ts';
import { type CommandReport, done } from './report.ts';
import { showAccount } from './show.ts';

export type CommandServices = AccountServices & RoutingServices;

/** The audit names no person: a command on the server itself. */
const ACTOR = null;
const CLI = 'npm run florin -- processors';
/** Stands for every merchant without rules and accounts of its own. */
const ANY_MERCHANT = '00000000-0000-0000-0000-000000000000';
const WITH_VAULT: readonly ProcessorCommand['command'][] = [
  'add',
  'try',
  'renew',
  'change',
  'check',
  'enable',
  'remove',
];

/** Runs a command of an operator on this server. Throws `ProblemError` that names what is wrong. */
export async function runProcessorCommand(
  services: CommandServices,
  command: ProcessorCommand,
): Promise<CommandReport> {
  if (WITH_VAULT.includes(command.command)) await requireVault(services.relay);
  switch (command.command) {
    case 'list':
      return list(services, command);
    case 'show':
      return done(await showAccount(services, await findNamedAccount(services.db, command)));
    case 'kinds':
      return done(describeProcessors(Object.values(services.adapters).map((one) => one.metadata)));
    case 'add':
      return add(services, command.draft);
    case 'try':
      return tryStandIn(services, command);
    case 'renew':
      return renew(services, command);
    case 'change':
      return change(services, command, command.change);
    case 'rules':
      return done(describeRules(await rulesOf(services, command.mode)));
    case 'route':
      return storeRules(services, command.mode, command.rules);
    case 'preview':
      return preview(services, command.mode, command.facts);
    default:
      return act(services, command.command, command);
  }
}

/** Throws before anything is changed, since secrets are stored in the vault only. */
async function requireVault(relay: Pick<Relay, 'keys'>): Promise<void> {
  const isAnswering = await relay.keys().then(
    () => true,
    () => false,
  );
  if (isAnswering) return;
  throw problem(
    'invalid_state',
    'The vault does not answer, so that nothing was changed. Start it, in development with npm start, and repeat the command.',
  );
}

async function list(
  { db, adapters }: CommandServices,
  { mode, with_removed }: { readonly mode?: Mode; readonly with_removed: boolean },
): Promise<CommandReport> {
  const rows = (await selectAccounts(db, ACCOUNTS_MAX)).filter(
    (row) =>
      (mode === undefined || row.mode === mode) && (with_removed || row.status !== 'removed'),
  );
  if (rows.length > 0) return done(describeAccounts(rows, await readRefusals(db), adapters));
  return done(`There are no accounts. List the processors and their fields: ${CLI} list --kinds`);
}

async function add(services: CommandServices, body: object): Promise<CommandReport> {
  const draft = readAccountDraft(body);
  const id = await createAccount(services, ACTOR, draft);
  return done(
    `Added ${titleOf({ name: draft.name, id })}. The account takes no payments yet.${acceptHint(draft.mode)} Next: ${CLI} enable ${id}`,
  );
}

/** The vault of a production installation sends nothing to an account that its operator has not accepted. */
const acceptHint = (mode: Mode): string =>
  mode === 'live'
    ? ' In production, first accept it on the machine of the vault: vault rules list, then vault rules accept ID.'
    : '';

async function tryStandIn(
  services: CommandServices,
  request: StandInRequest,
): Promise<CommandReport> {
  const account = await connectStandIn(services, ACTOR, request);
  const rules = [{ name: 'Try it', conditions: {}, accounts: [account.name] }];
  return done(
    [
      `Added and enabled ${titleOf(account)} at the simulated card network. The sandbox gives payments to accounts by rules only.`,
      `Give it all sandbox payments: echo '${JSON.stringify(rules)}' | ${CLI} route --mode sandbox --file -`,
    ].join('\n'),
  );
}

async function renew(
  services: CommandServices,
  command: Extract<ProcessorCommand, { command: 'renew' }>,
): Promise<CommandReport> {
  const row = await findNamedAccount(services.db, command);
  await renewStandIn(services, ACTOR, row, command);
  return done(
    `Gave ${titleOf(row)} new keys, in Florin and at the stand-in. Notifications that were signed before stay refused.`,
  );
}

async function change(
  services: CommandServices,
  name: AccountName,
  members: object,
): Promise<CommandReport> {
  const row = await findNamedAccount(services.db, name);
  const body = readAccountChange({ settings: {}, secrets: {}, ...choicesOf(row), ...members });
  await changeAccount(services, ACTOR, row.id as string, body);
  const hint =
    row.status === 'untested' ? ` Next: ${CLI} enable ${row.id}` : ' The changes are in use.';
  return done(`Changed ${titleOf({ name: body.name, id: row.id as string })}.${hint}`);
}

async function act(
  services: CommandServices,
  command: Extract<
    ProcessorCommand,
    { command: 'check' | 'enable' | 'pause' | 'remove' }
  >['command'],
  name: AccountName & { readonly give_up_refunds?: boolean },
): Promise<CommandReport> {
  const row = await findNamedAccount(services.db, name);
  const id = row.id as string;
  switch (command) {
    case 'check': {
      const failure = await checkAccount(services, ACTOR, id);
      return failure
        ? { ok: false, text: failure + nextStepAfter(failure, id) }
        : done(`The processor accepts the credentials of ${titleOf(row)}.`);
    }
    case 'enable':
      await enableAccount(services, ACTOR, id).catch((error) => rethrowWithNextStep(error, id));
      return done(`Enabled ${titleOf(row)}.${await routingHint(services, row)}`);
    case 'pause':
      await pauseAccount(services, ACTOR, id);
      return done(
        `Paused ${titleOf(row)}. It takes no new payments. Its captures, refunds and open payments continue.${await staleRulesHint(services, row)}`,
      );
    case 'remove':
      await removeAccount(services, ACTOR, id, name);
      return done(
        `Removed ${titleOf(row)} and its secrets.${await disputesHint(services, id)}${await staleRulesHint(services, row)}`,
      );
  }
}

/** A failure of the egress names its own next step. */
const nextStepAfter = (failure: string, id: string): string =>
  failure.includes('VAULT_EGRESS') ? '' : ` Correct the account, or try again: ${CLI} change ${id}`;

function rethrowWithNextStep(error: unknown, id: string): never {
  if (!(error instanceof ProblemError) || error.problems[0]?.code !== 'invalid') throw error;
  throw new ProblemError(
    error.problems.map((one) => ({ ...one, detail: one.detail + nextStepAfter(one.detail, id) })),
  );
}

/** In the sandbox an account takes payments by a rule only: the simulated network takes all others. */
async function routingHint(services: CommandServices, { id, mode }: Row): Promise<string> {
  const rules = await rulesOf(services, mode as Mode);
  const isNamed = rules.some(({ accounts }) => accounts.includes(id as string));
  if (isNamed || mode === 'live') return ' It takes payments now.';
  return ` The simulated network takes all sandbox payments that no rule gives to an account. Next: ${CLI} route --mode sandbox --file rules.json`;
}

/** Nobody reports the decision of open disputes of a removed account. */
async function disputesHint({ db }: CommandServices, id: string): Promise<string> {
  const { open_disputes } = await obligationsOf(db, id);
  if (open_disputes === 0) return '';
  const are = open_disputes === 1 ? '1 dispute stays' : `${open_disputes} disputes stay`;
  return ` ${are} open until you close them: ${CLI} disputes ${id}`;
}

/** A rule without an enabled account refuses its payments: the next rule is not asked. */
async function staleRulesHint(services: CommandServices, { id, mode }: Row): Promise<string> {
  const rules = await rulesOf(services, mode as Mode);
  const names = rules.filter(({ accounts }) => accounts.includes(id as string));
  if (names.length === 0) return '';
  const list = names.map(({ name }) => `"${name}"`).join(', ');
  return ` These rules still name it, and refuse payments that no other account of theirs takes: ${list}. Change them: ${CLI} route --mode ${mode} --file rules.json`;
}

const rulesOf = async ({ db }: Pick<CommandServices, 'db'>, mode: Mode) =>
  (await selectRules(db, mode)).map(ruleOf);

async function storeRules(
  services: CommandServices,
  mode: Mode,
  rules: unknown,
): Promise<CommandReport> {
  const rows = await selectAccounts(services.db, ACCOUNTS_MAX);
  const named = rows.filter((row) => row.mode === mode && row.status !== 'removed');
  const idOf = (account: string): string =>
    named.find(({ name }) => name === account)?.id ?? account;
  const drafts = readRules({ rules }).map((rule) => ({
    ...rule,
    accounts: rule.accounts.map(idOf),
  }));
  await changeRules(services, mode, drafts);
  const countText = drafts.length === 1 ? '1 rule' : `${drafts.length} rules`;
  return done(`Stored ${countText} of ${mode} mode for new payments.`);
}

function preview(services: CommandServices, mode: Mode, facts: object): CommandReport {
  const route = routePayment(services, readFacts({ merchant_id: ANY_MERCHANT, ...facts }, mode));
  return { ok: route.candidates.length > 0, text: describeRoute(services.accounts, route) };
}
