import { problem } from '@florin/contract/errors.ts';
import { nextState } from '@florin/contract/machines/define-machine.ts';
import { type IfMatch, requireMatch } from '../../jsonapi/etag.ts';
import { notFound } from '../../jsonapi/problems.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { ProcessorAdapter } from '../../processors/port/define-adapter.ts';
import type { AccountSettings } from '../../processors/port/metadata.ts';
import type { Services } from '../../services.ts';
import { cellOf } from '../cells/sql/directory.ts';
import { accountOf } from './accounts.ts';
import { recordCapabilities } from './capabilities.ts';
import { changedNames } from './changed-names.ts';
import { checkChange, checkCredentials, checkFailure } from './check.ts';
import { checkFields, type FieldValues } from './fields.ts';
import { identityOf, requireDistinct } from './identity.ts';
import { processorAccountMachine } from './machine.ts';
import { deleteKeyRefusals } from './sql/key-refusals.ts';
import { recordDisabled, recordEnabled } from './sql/merchant-records.ts';
import {
  findProcessorAccount,
  insertAccount,
  insertEntry,
  lockProcessorAccount,
  type ProcessorAccountChange,
  selectMerchantIds,
  updateProcessorAccount,
} from './sql.ts';
import { storeInVault, type VaultAccount } from './vault.ts';

export interface AccountServices
  extends Pick<Services, 'db' | 'global' | 'system_clock' | 'relay' | 'accounts' | 'adapters'> {
  /** For a dry run, whose `db` commits nothing: the vault keeps the secrets that it has. */
  readonly is_dry?: boolean;
}

/** Person who changes an account; null: a command on the server itself. */
export type AccountActor = string | null;

/** Choices of an account besides its fields. Null: no restriction, or the processor's default. */
export interface AccountChoices {
  readonly name: string;
  readonly currencies: readonly string[] | null;
  readonly networks: readonly string[] | null;
  readonly descriptor: string | null;
}

export interface AccountDraft extends AccountChoices, FieldValues {
  readonly mode: 'live' | 'sandbox';
  readonly processor: string;
  /** Null: every merchant may use the account. */
  readonly merchant_id: string | null;
}

/** Creates an untested account. Returns its id. */
export async function createAccount(
  services: AccountServices,
  actor: AccountActor,
  draft: AccountDraft,
): Promise<string> {
  const { db, system_clock } = services;
  const adapter = adapterOf(services, draft.processor);
  const { settings, secrets } = checkFields(adapter.metadata, draft.mode, draft);
  const merchant_id = draft.merchant_id && (await requireMerchant(services, draft.merchant_id));
  const now = system_clock.now();
  const at = instantText(now);
  const account = { id: uuidv7(now), merchant_id, mode: draft.mode, settings };
  requireFitting(adapter, account);
  const identity = identityOf(adapter, account);
  const row = {
    id: account.id,
    merchant_id,
    mode: draft.mode,
    processor: draft.processor,
    settings: JSON.stringify(settings),
    identity,
    ...columnsOf(draft),
    created_at: at,
    updated_at: at,
  };
  await db.transaction(async (tx) => {
    await requireDistinct(tx, row);
    if (!(await insertAccount(tx, row))) throw nameTaken();
    await record(services, tx, {
      id: account.id,
      actor,
      action: 'created',
      details: describe(draft),
    });
    await recordCapabilities(tx, adapter, account, at);
    await saveSecrets(services, tx, adapter, account, secrets);
  });
  await services.accounts.refresh();
  return account.id;
}

/**
 * Changes choices, settings and secrets. An account in use keeps its credentials if the processor refuses the new
 * ones. Throws 412 if the account changed after the version that `if_match` names.
 */
export async function changeAccount(
  services: AccountServices,
  actor: AccountActor,
  id: string,
  change: AccountChoices & FieldValues,
  if_match?: IfMatch,
): Promise<void> {
  const row = await requireAccount(services.db, id);
  requireMatch(if_match, row);
  const adapter = adapterOf(services, row.processor as string);
  const before = {
    id,
    merchant_id: row.merchant_id ?? null,
    mode: row.mode as 'live' | 'sandbox',
    settings: settingsOf(row),
  };
  const isMoved = (settings: Readonly<Record<string, string>>): boolean =>
    String(adapter.origins({ ...before, settings })) !== String(adapter.origins(before));
  const stored = { settings: before.settings, secret_names: secretNamesOf(row) };
  const { settings, secrets } = checkFields(adapter.metadata, before.mode, change, stored);
  // The vault removes secrets when the address changes, so that nobody can direct them to another host.
  if (isMoved(settings))
    checkFields(adapter.metadata, before.mode, change, { ...stored, secret_names: [] });
  const account = { ...before, settings };
  requireFitting(adapter, account);
  // The check of new secrets stores them in the vault.
  const isChecked =
    row.status !== 'untested' && !(services.is_dry && Object.keys(secrets).length > 0);
  if (isChecked) await requireAccepted(services, adapter, account, secrets);
  await services.db.transaction(async (tx) => {
    const locked = await lockProcessorAccount(tx, id);
    if (!locked || locked.status === 'removed') throw notFound();
    requireMatch(if_match, locked);
    const at = instantText(services.system_clock.now());
    const identity = identityOf(adapter, account);
    await requireDistinct(tx, { ...locked, identity });
    const columns = { ...columnsOf(change), settings: JSON.stringify(settings), identity };
    await updateProcessorAccount(tx, id, columns, at);
    const details = { ...describe(change), changed: changedNames(locked, columns) };
    if (isChecked) await storeCheck(tx, id, undefined, at);
    await recordCapabilities(tx, adapter, account, at);
    await record(services, tx, { id, actor, action: 'changed', details });
    await saveSecrets(services, tx, adapter, account, secrets);
  });
  await services.accounts.refresh();
}

/** Throws 422 if the settings do not fit the mode or each other. */
function requireFitting({ metadata }: ProcessorAdapter, account: AccountSettings): void {
  const why = metadata.refusalOf?.(account);
  if (why) throw problem('invalid', why, { pointer: '/settings' });
}

/** Checks the credentials and stores the result. Returns the reason of a failure. */
export async function checkAccount(
  services: AccountServices,
  actor: AccountActor,
  id: string,
): Promise<string | undefined> {
  const row = await requireAccount(services.db, id);
  const adapter = adapterOf(services, row.processor as string);
  const account = accountOf(adapter, row);
  const result = await checkCredentials(services, account, account.processor);
  const failure = checkFailure(adapter.metadata.display_name, result);
  const at = instantText(services.system_clock.now());
  await services.db.transaction(async (tx) => {
    await storeCheck(tx, id, failure, at);
    await record(services, tx, {
      id,
      actor,
      action: 'checked',
      details: { result: result.result },
    });
  });
  return failure;
}

/** Stores the result of a check. An accepted one ends the notice of a refused key. */
async function storeCheck(
  tx: Db,
  id: string,
  failure: string | undefined,
  checked_at: string,
): Promise<void> {
  // A check keeps the version of the account: it must not refuse the form of another operator.
  await updateProcessorAccount(tx, id, { check_failure: failure ?? null, checked_at });
  if (failure === undefined) await deleteKeyRefusals(tx, id, checked_at);
}

/** Enables an account whose credentials the processor accepts. Throws 422 with the processor's reason otherwise. */
export async function enableAccount(
  services: AccountServices,
  actor: AccountActor,
  id: string,
): Promise<void> {
  const failure = await checkAccount(services, actor, id);
  if (failure) throw problem('invalid', `${failure} The account was not enabled.`);
  await moveAccount(services, actor, id, { trigger: 'enable' });
}

/** Stops new payments. Open payments, captures and refunds of the account continue. */
export const pauseAccount = (
  services: AccountServices,
  actor: AccountActor,
  id: string,
): Promise<void> => moveAccount(services, actor, id, { trigger: 'pause' });

/** Trigger of a state, with what it needs in the transaction that has locked the account. */
interface Move {
  readonly trigger: 'enable' | 'pause' | 'remove';
  /** Throws if the account must stay as it is. Returns details for the audit. */
  readonly require?: (tx: Db, account: Row) => Promise<object>;
}

/** Changes the state of an account. Throws 405 if its state does not allow that. */
export async function moveAccount(
  services: AccountServices,
  actor: AccountActor,
  id: string,
  { trigger, require }: Move,
): Promise<void> {
  await services.db.transaction(async (tx) => {
    const row = await lockProcessorAccount(tx, id);
    if (!row) throw notFound();
    const status = nextState(processorAccountMachine, row.status as string, trigger);
    if (!status) throw wrongState(row.status as string, trigger);
    const details = (await require?.(tx, row)) ?? {};
    const now = services.system_clock.now();
    await updateProcessorAccount(tx, id, { status }, instantText(now));
    if (status === 'enabled')
      await recordEnabled(tx, { id, merchant_id: row.merchant_id ?? null }, now);
    else await recordDisabled(tx, id, { now, is_removed: status === 'removed' });
    await record(services, tx, { id, actor, action: status, details });
  });
  await services.accounts.refresh();
}

const wrongState = (status: string, trigger: Move['trigger']): Error =>
  problem(
    'invalid_state',
    status === 'enabled' && trigger === 'remove'
      ? 'The account is enabled. Pause it first, so that it takes no more payments, and remove it then.'
      : `The account is ${status}.`,
  );

/** Checks changed credentials of an account in use. Throws unless the processor accepts them. */
async function requireAccepted(
  services: AccountServices,
  adapter: ProcessorAdapter,
  account: VaultAccount,
  secrets: Readonly<Record<string, string | null>>,
): Promise<void> {
  const result = await checkChange(services, { adapter, account, secrets });
  const failure = checkFailure(adapter.metadata.display_name, result);
  if (failure) throw problem('invalid', `${failure} Nothing was changed.`);
}

/** Stores the secrets in the vault as the last step of a transaction: without a vault nothing changes. */
async function saveSecrets(
  services: AccountServices,
  tx: Db,
  adapter: ProcessorAdapter,
  account: VaultAccount,
  secrets: Readonly<Record<string, string | null>>,
): Promise<void> {
  if (services.is_dry) return;
  const names = await storeInVault(services, adapter, account, secrets);
  const change: ProcessorAccountChange = { secret_names: JSON.stringify(names) };
  await updateProcessorAccount(tx, account.id, change, instantText(services.system_clock.now()));
}

function adapterOf({ adapters }: Pick<Services, 'adapters'>, name: string): ProcessorAdapter {
  const adapter = Object.hasOwn(adapters, name) ? adapters[name] : undefined;
  if (adapter) return adapter;
  const names = Object.keys(adapters).join(', ') || 'none yet';
  throw problem('not_in_list', `processor must be a registered processor: ${names}.`, {
    pointer: '/processor',
  });
}

/**
 * The id of a merchant as the database writes it: the vault compares texts. The merchant may be in another cell, and move
 * here later.
 */
async function requireMerchant(
  { db, global }: Pick<Services, 'db' | 'global'>,
  id: string,
): Promise<string> {
  const [known] = await selectMerchantIds(db, [id]);
  if (known !== undefined) return known;
  const elsewhere = await cellOf(global, 'merchant', id);
  if (elsewhere) return elsewhere.merchant_id as string;
  throw problem('invalid', `merchant_id names no merchant: ${id}.`, {
    pointer: '/merchant_id',
  });
}

/** The account of an id, in any state. Throws 404 if there is none. */
export async function requireAccount(db: Db, id: string): Promise<Row> {
  const row = await findProcessorAccount(db, id);
  if (!row) throw notFound();
  return row;
}

const settingsOf = ({ settings }: Row): Readonly<Record<string, string>> =>
  JSON.parse(settings as string) as Readonly<Record<string, string>>;

const secretNamesOf = ({ secret_names }: Row): readonly string[] =>
  JSON.parse(secret_names as string) as readonly string[];

const columnsOf = ({ name, currencies, networks, descriptor }: AccountChoices) => ({
  name,
  currencies: currencies && JSON.stringify(currencies),
  networks: networks && JSON.stringify(networks),
  descriptor,
});

/** Stored choices of an account. */
export const choicesOf = ({ name, currencies, networks, descriptor }: Row): AccountChoices => ({
  name: name as string,
  currencies: currencies ? JSON.parse(currencies) : null,
  networks: networks ? JSON.parse(networks) : null,
  descriptor: descriptor ?? null,
});

/** Details for the audit: names of secrets, never their values. */
const describe = ({ secrets, ...change }: AccountChoices & FieldValues): object => ({
  ...change,
  secrets: Object.keys(secrets),
});

interface AccountRecord {
  readonly id: string;
  readonly actor: AccountActor;
  readonly action: string;
  readonly details: object;
}

function record(
  { system_clock }: Pick<Services, 'system_clock'>,
  tx: Db,
  { id, actor, action, details }: AccountRecord,
): Promise<void> {
  const now = system_clock.now();
  return insertEntry(tx, {
    id: uuidv7(now),
    processor_account_id: id,
    account_id: actor,
    action,
    details: JSON.stringify(details),
    created_at: instantText(now),
  });
}

const nameTaken = () =>
  problem('invalid', 'Another account of this mode has this name. Choose another name.', {
    pointer: '/name',
  });
