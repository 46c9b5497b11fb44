import { createHash } from 'node:crypto';
import type {
  EgressRequest,
  EgressRule,
  ProcessorAccountRef,
  ProcessorAccountRequest,
} from '@florin/contract/protocol/processor-accounts.ts';
import type { Actor, Audit } from '../audit/audit.ts';
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
  const rulesText = account.egress ? `, ${describeRules(account.egress)}` : '';
  const request = `requested: ${describeSecrets(secrets)}${rulesText}`;
  await recordChange(deps.audit, actor, account, request);
  const storedNames = await deps.db.transaction(async (tx) => {
    const isSameOrigins = await upsertAccount(tx, deps.clock, account);
    const removedNames = Object.keys(secrets).filter((name) => secrets[name] === null);
    await deleteSecrets(tx, account, isSameOrigins ? removedNames : undefined);
    for (const [name, secret] of Object.entries(secrets))
      if (secret !== null) await upsertSecret(tx, deps, { ...account, name }, secret);
    return findSecretNames(tx, account);
  });
  await recordChange(deps.audit, actor, account, `stored: ${storedNames.join(', ')}${rulesText}`);
  return storedNames;
}

/** Secrets of a request for the audit: the names to store, and those to remove. */
const describeSecrets = (secrets: ProcessorAccountRequest['secrets']): string =>
  Object.entries(secrets)
    .map(([name, secret]) => `${secret === null ? 'remove' : 'store'} ${name}`)
    .join(', ');

/** Replaces the egress rules of an account. Does nothing if the account is unknown or has these rules. */
export async function storeEgressRules(
  { db, audit }: Pick<AccountStoreDeps, 'db' | 'audit'>,
  { egress, ...account }: EgressRequest,
  actor: Actor,
): Promise<void> {
  const values = [account.account_id, account.mode, JSON.stringify(egress)];
  const [outdated] = await db.query(
    `select from vault.processor_accounts
     where account_id = $1 and mode = $2 and egress is distinct from $3`,
    values,
  );
  if (!outdated) return;
  await recordChange(audit, actor, account, `requested: ${describeRules(egress)}`);
  const changed = await db.query(
    `update vault.processor_accounts set egress = $3
     where account_id = $1 and mode = $2 and egress is distinct from $3
     returning account_id`,
    values,
  );
  if (changed.length > 0) await recordChange(audit, actor, account, describeRules(egress));
}

/** Rules for the audit: their number, and a digest to compare them with. */
const describeRules = (egress: readonly EgressRule[]): string =>
  `${egress.length} egress rules ${createHash('sha256').update(JSON.stringify(egress)).digest('hex')}`;

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
  { account_id, mode, origins, egress }: Omit<ProcessorAccountRequest, 'secrets'>,
): Promise<boolean> {
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
     set origins = $3, egress = coalesce($4, case when origins = $3 then egress end)
     where account_id = $1 and mode = $2`,
    [account_id, mode, sortedOrigins, egress ? JSON.stringify(egress) : null],
  );
  return account?.same ?? false;
}

/** Deletes the named secrets, or all without names. */
const deleteSecrets = (
  tx: Db,
  { account_id, mode }: ProcessorAccountRef,
  names: readonly string[] | undefined,
): Promise<unknown> =>
  tx.query(
    `delete from vault.processor_secrets
     where account_id = $1 and mode = $2 and ($3::text[] is null or name = any ($3))`,
    [account_id, mode, names ?? null],
  );

async function upsertSecret(
  tx: Db,
  { rootKeys, clock }: AccountStoreDeps,
  secretRef: ProcessorAccountRef & { readonly name: string },
  secret: string,
): Promise<void> {
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
    `select account_id, mode, account.origins, account.egress::text as egress,
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
