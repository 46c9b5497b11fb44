import type {
  EgressRequest,
  ProcessorAccountRef,
  ProcessorAccountRequest,
} from '@florin/contract/protocol/processor-accounts.ts';
import type { Actor, Audit } from '../audit/audit.ts';
import { acceptKnownRules } from '../consent/accept-known-rules.ts';
import { describeMerchant } from '../consent/describe-merchant.ts';
import { describeRules } from '../consent/rules.ts';
import type { Clock } from '../kernel/clock.ts';
import type { RootKeys } from '../keys/root-keys.ts';
import type { Database, Db } from '../store/db.ts';

export interface AccountStoreDeps {
  readonly db: Database;
  readonly rootKeys: RootKeys;
  readonly audit: Audit;
  readonly clock: Clock;
}

/** Context that binds a wrapped secret: another account, mode or name cannot decrypt it. */
export const secretContext = ({
  account_id,
  mode,
  name,
}: ProcessorAccountRef & { readonly name: string }): string =>
  `processor:${mode}:${account_id}:${name}`;

/**
 * Stores an account's origins and secrets; null removes a secret. If the origins change, all secrets that the request
 * does not contain are removed, so that nobody can direct a stored secret to another host. Returns the stored names.
 */
export async function storeAccount(
  deps: AccountStoreDeps,
  { secrets, ...account }: ProcessorAccountRequest,
  actor: Actor,
): Promise<readonly string[]> {
  const limits = describeLimits(account);
  const requested = [describeSecrets(secrets), ...limits].join(', ');
  await recordChange(deps.audit, actor, account, `requested: ${requested}`);
  const storedNames = await deps.db.transaction(async (tx) => {
    const isSameOrigins = await upsertAccount(tx, deps.clock, account);
    const removedNames = Object.keys(secrets).filter((name) => secrets[name] === null);
    if (!isSameOrigins) await deleteStoredSecrets(tx, account);
    await removeSecrets(tx, account, removedNames);
    for (const [name, secret] of Object.entries(secrets))
      if (secret !== null) await upsertSecret(tx, deps, { ...account, name }, secret);
    return findSecretNames(tx, account);
  });
  const stored = [storedNames.join(', '), ...limits].join(', ');
  await recordChange(deps.audit, actor, account, `stored: ${stored}`);
  await acceptKnownRules(deps, account);
  return storedNames;
}

/** Secrets of a request for the audit: the names to store, and those to remove. */
const describeSecrets = (secrets: ProcessorAccountRequest['secrets']): string =>
  Object.entries(secrets)
    .map(([name, secret]) => `${secret === null ? 'remove' : 'store'} ${name}`)
    .join(', ');

/** Rules and merchant of a request for the audit. */
const describeLimits = ({ egress, merchant_id }: EgressRequest): readonly string[] => [
  ...(egress ? [describeRules(egress)] : []),
  ...(merchant_id === undefined ? [] : [describeMerchant(merchant_id)]),
];

/** Columns of an account after a request. Parameters 3 to 5: its rules, and its merchant with whether it names one. */
const RULES_AFTER = 'coalesce($3::jsonb, egress)';
const MERCHANT_AFTER = 'case when $4::boolean then $5::text else merchant_id end';

const limitValues = ({ account_id, mode, egress, merchant_id }: EgressRequest) => [
  account_id,
  mode,
  egress ? JSON.stringify(egress) : null,
  merchant_id !== undefined,
  merchant_id ?? null,
];

/** Replaces rules and merchant of an account. Does nothing if the account is unknown or has them. */
export async function storeEgressRules(
  { db, audit }: Pick<AccountStoreDeps, 'db' | 'audit'>,
  account: EgressRequest,
  actor: Actor,
): Promise<void> {
  const values = limitValues(account);
  const isOutdated = `account_id = $1 and mode = $2
    and (egress, merchant_id) is distinct from (${RULES_AFTER}, ${MERCHANT_AFTER})`;
  const [outdated] = await db.query(
    `select from vault.processor_accounts where ${isOutdated}`,
    values,
  );
  if (!outdated) return;
  const limits = describeLimits(account).join(', ');
  await recordChange(audit, actor, account, `requested: ${limits}`);
  const changed = await db.query(
    `update vault.processor_accounts set egress = ${RULES_AFTER}, merchant_id = ${MERCHANT_AFTER}
     where ${isOutdated} returning account_id`,
    values,
  );
  if (changed.length === 0) return;
  await recordChange(audit, actor, account, limits);
  await acceptKnownRules({ db, audit }, account);
}

/** Removes an account with its secrets. Does nothing if the account is unknown. */
export async function removeAccount(
  { db, audit }: Pick<AccountStoreDeps, 'db' | 'audit'>,
  { account_id, mode }: ProcessorAccountRef,
  actor: Actor,
): Promise<void> {
  await recordChange(audit, actor, { account_id, mode }, 'requested: remove');
  await db.query('delete from vault.processor_accounts where account_id = $1 and mode = $2', [
    account_id,
    mode,
  ]);
  await recordChange(audit, actor, { account_id, mode }, 'removed');
}

/** The audit names accounts and secrets, never their values. Each change has an entry before it takes effect, too. */
const recordChange = (
  audit: Audit,
  actor: Actor,
  { account_id, mode }: ProcessorAccountRef,
  change: string,
): Promise<void> =>
  audit.record({ actor, verb: 'processor_account', mode, outcome: `${account_id} ${change}` });

/** Whether the account existed with the same origins. The update of its row makes concurrent calls wait. */
async function upsertAccount(
  tx: Db,
  clock: Clock,
  request: Omit<ProcessorAccountRequest, 'secrets'>,
): Promise<boolean> {
  const { account_id, mode, origins } = request;
  const sortedOrigins = [...origins].sort();
  const [account] = await tx.query<{ same: boolean }>(
    `insert into vault.processor_accounts (account_id, mode, origins, stored_at)
     values ($1, $2, '{}', $3)
     on conflict (account_id, mode) do update set stored_at = excluded.stored_at
     returning origins = $4::text[] as same`,
    [account_id, mode, new Date(clock()), sortedOrigins],
  );
  // Rules name origins, so the rules of other origins would refuse every message.
  await tx.query(
    `update vault.processor_accounts
     set origins = $6, egress = coalesce($3::jsonb, case when origins = $6 then egress end),
       merchant_id = ${MERCHANT_AFTER}
     where account_id = $1 and mode = $2`,
    [...limitValues(request), sortedOrigins],
  );
  return account?.same ?? false;
}

const deleteStoredSecrets = (tx: Db, { account_id, mode }: ProcessorAccountRef): Promise<unknown> =>
  tx.query('delete from vault.processor_secrets where account_id = $1 and mode = $2', [
    account_id,
    mode,
  ]);

/** Removes secrets by their names. A removed secret is no longer accepted either. */
async function removeSecrets(
  tx: Db,
  { account_id, mode }: ProcessorAccountRef,
  names: readonly string[],
): Promise<void> {
  for (const table of ['processor_secrets', 'accepted_secrets'])
    await tx.query(
      `delete from vault.${table} where account_id = $1 and mode = $2 and name = any ($3)`,
      [account_id, mode, names],
    );
}

async function upsertSecret(
  tx: Db,
  { rootKeys, clock }: AccountStoreDeps,
  secretRef: ProcessorAccountRef & { readonly name: string },
  secret: string,
): Promise<void> {
  if (await isStored(tx, rootKeys, secretRef, secret)) return;
  const plaintext = Buffer.from(secret);
  const { root_version, wrapped } = await rootKeys.wrap(plaintext, secretContext(secretRef));
  plaintext.fill(0);
  const { account_id, mode, name } = secretRef;
  await tx.query(
    `insert into vault.processor_secrets (account_id, mode, name, root_version, wrapped, stored_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (account_id, mode, name) do update set root_version = excluded.root_version,
       wrapped = excluded.wrapped, stored_at = excluded.stored_at`,
    [account_id, mode, name, root_version, wrapped, new Date(clock())],
  );
}

/** Whether exactly this secret is stored. Stored again, it would wait for an operator again. */
async function isStored(
  tx: Db,
  rootKeys: RootKeys,
  secretRef: ProcessorAccountRef & { readonly name: string },
  secret: string,
): Promise<boolean> {
  const { account_id, mode, name } = secretRef;
  const [row] = await tx.query<Pick<SecretRow, 'root_version' | 'wrapped'>>(
    `select root_version, wrapped from vault.processor_secrets
     where account_id = $1 and mode = $2 and name = $3`,
    [account_id, mode, name],
  );
  if (!row) return false;
  const stored = await rootKeys.unwrap(row, secretContext(secretRef)).catch(() => undefined);
  const isSame = stored?.equals(Buffer.from(secret)) ?? false;
  stored?.fill(0);
  return isSame;
}

async function findSecretNames(
  tx: Db,
  { account_id, mode }: ProcessorAccountRef,
): Promise<readonly string[]> {
  const rows = await tx.query<{ name: string }>(
    `select name from vault.processor_secrets where account_id = $1 and mode = $2 order by name`,
    [account_id, mode],
  );
  return rows.map(({ name }) => name);
}

/** Key of an account in maps. */
export const accountKeyOf = ({ account_id, mode }: ProcessorAccountRef): string =>
  `${mode} ${account_id}`;

/** A stored account. */
export interface AccountRow extends ProcessorAccountRef {
  /** The only merchant whose messages it sends; null: every merchant. */
  readonly merchant_id: string | null;
  readonly origins: readonly string[];
  /** Egress rules as JSON; null without rules. */
  readonly egress: string | null;
}

/** A stored secret with its account. */
export interface SecretRow extends AccountRow {
  readonly name: string;
  readonly root_version: number;
  readonly wrapped: Buffer;
}

/** An account that has no secret is a row without a name. */
export type AccountSecretRow = SecretRow | (AccountRow & { readonly name: null });

/** The accounts with all their secrets. */
export const selectAccounts = (
  db: Db,
  accounts: readonly ProcessorAccountRef[],
): Promise<AccountSecretRow[]> =>
  db.query<AccountSecretRow>(
    `select account_id, mode, account.merchant_id, account.origins, account.egress::text as egress,
       secret.name, secret.root_version, secret.wrapped
     from unnest($1::text[], $2::text[]) as named (account_id, mode)
     join vault.processor_accounts account using (account_id, mode)
     left join vault.processor_secrets secret using (account_id, mode)`,
    [accounts.map(({ account_id }) => account_id), accounts.map(({ mode }) => mode)],
    'processor-secrets',
  );

export const hasSecret = (row: AccountSecretRow): row is SecretRow => row.name !== null;

/** All secrets of an account. */
export const selectSecrets = async (db: Db, account: ProcessorAccountRef): Promise<SecretRow[]> =>
  (await selectAccounts(db, [account])).filter(hasSecret);
