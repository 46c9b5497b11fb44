import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { RULES_MAX } from './rules.ts';

const COLUMNS = `id, merchant_id, mode, processor, name, status, settings, secret_names, currencies, networks,
  descriptor, check_failure, checked_at, created_at, updated_at`;

/** All accounts, oldest first. */
export const selectAccounts = (db: Db, limit: number): Promise<Row[]> =>
  db.query(
    `select ${COLUMNS} from processor_accounts order by created_at, id limit $1`,
    [limit],
    'processor_accounts',
    'kept',
  );

/** Locks an account until the end of the transaction. */
export async function lockProcessorAccount(tx: Db, id: string): Promise<Row | undefined> {
  const [row] = await tx.query(
    `select ${COLUMNS} from processor_accounts where id = $1 for update`,
    [id],
    'lock_processor_account',
  );
  return row;
}

/** Undefined for null, which names the simulated network. */
export async function findProcessorAccount(db: Db, id: string | null): Promise<Row | undefined> {
  const [row] = await db.query(
    `select ${COLUMNS} from processor_accounts where id = $1`,
    [id],
    'find_processor_account',
  );
  return row;
}

/** Stores an account unless one of the mode has its name. Returns whether it is stored. */
export async function insertAccount(tx: Db, account: Row): Promise<boolean> {
  const names = Object.keys(account);
  const rows = await tx.query(
    `insert into processor_accounts (${names.join(', ')})
     values (${names.map((_, at) => `$${at + 1}`).join(', ')}) on conflict do nothing returning id`,
    Object.values(account),
  );
  return rows.length > 0;
}

/** Columns that a change may set. */
export type ProcessorAccountChange = Readonly<
  Partial<
    Record<
      | 'name'
      | 'status'
      | 'settings'
      | 'identity'
      | 'secret_names'
      | 'currencies'
      | 'networks'
      | 'descriptor'
      | 'check_failure'
      | 'checked_at',
      string | null
    >
  >
>;

/** Without `updated_at`, the account keeps its version. */
export async function updateProcessorAccount(
  tx: Db,
  id: string,
  change: ProcessorAccountChange,
  updated_at?: string,
): Promise<void> {
  const set = Object.entries({ ...change, ...(updated_at && { updated_at }) });
  await tx.query(
    `update processor_accounts set ${set.map(([name], at) => `${name} = $${at + 2}`).join(', ')} where id = $1`,
    [id, ...set.map(([, value]) => value)],
  );
}

/** Returns the ids that belong to merchants. */
export async function selectMerchantIds(
  db: Db,
  ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await db.query(
    'select id from merchants where id = any($1::uuid[])',
    [ids],
    'merchant_ids',
  );
  return rows.map(({ id }) => id as string);
}

/** Names of merchants by id. A merchant without a name has none. */
export async function selectMerchantNames(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query(
    'select id, business_name from merchants where id = any($1::uuid[]) and business_name is not null',
    [[...new Set(ids)]],
    'merchant_names',
  );
  return new Map(rows.map(({ id, business_name }) => [id as string, business_name as string]));
}

/** An operator's change of an account. `account_id` is null for a command on the server itself. */
export interface AccountEntry {
  readonly id: string;
  readonly processor_account_id: string;
  readonly account_id: string | null;
  readonly action: string;
  readonly details: string;
  readonly created_at: string;
}

export async function insertEntry(tx: Db, entry: AccountEntry): Promise<void> {
  const { id, processor_account_id, account_id, action, details, created_at } = entry;
  await tx.query(
    `insert into processor_account_entries (id, processor_account_id, account_id, action, details, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [id, processor_account_id, account_id, action, details, created_at],
    'insert_processor_account_entry',
  );
}

/** Changes of an account, newest first. */
export const selectEntries = (db: Db, id: string, limit: number): Promise<Row[]> =>
  db.query(
    `select e.id, e.action, e.details, e.created_at, a.email as account_email
     from processor_account_entries e left join accounts a on a.id = e.account_id
     where e.processor_account_id = $1 order by e.created_at desc, e.id desc limit $2`,
    [id, limit],
    'processor_account_entries',
  );

/** When each secret of an account was last stored, by name. */
export const selectSecretTimes = (db: Db, id: string): Promise<Row[]> =>
  db.query(
    `select s.name, max(e.created_at) as stored_at
     from processor_account_entries e, jsonb_array_elements_text(e.details->'secrets') s(name)
     where e.processor_account_id = $1 and e.action in ('created', 'changed') group by s.name`,
    [id],
    'processor_account_secret_times',
  );

/** Name of another account of the mode with the same identity at the processor. */
export async function findSameIdentity(
  db: Db,
  { id, mode, processor, identity }: Row,
): Promise<string | undefined> {
  const [row] = await db.query(
    `select name from processor_accounts where mode = $1 and processor = $2 and identity = $3 and id <> $4
       and status <> 'removed'`,
    [mode, processor, identity, id],
    'same_identity',
  );
  return row?.name ?? undefined;
}

/** The first rules of a mode, in order. */
export const selectRules = (db: Db, mode: Mode): Promise<Row[]> =>
  db.query(
    `select id, merchant_id, mode, position, name, conditions, accounts, fallback from routing_rules
     where mode = $1 order by position limit $2`,
    [mode, RULES_MAX],
    'routing_rules',
    'kept',
  );

/** Lets concurrent changes of rules run one after another. */
export const lockRules = (tx: Db): Promise<Row[]> =>
  tx.query('lock table routing_rules in share row exclusive mode', []);

/** A merchant that moves, among these and those with rules of the mode. Stops that a restore made do not count. */
export async function findMovingOwner(
  tx: Db,
  mode: Mode,
  merchants: readonly string[],
): Promise<string | undefined> {
  const [row] = await tx.query(
    `select s.merchant_id from stopped_merchants s where not s.by_restore and (s.merchant_id = any ($2::uuid[])
       or exists (select from routing_rules r where r.mode = $1 and r.merchant_id = s.merchant_id)) limit 1`,
    [mode, merchants],
    'moving_rule_owner',
  );
  return row?.merchant_id ?? undefined;
}

/** Replaces the rules of a mode, which the transaction has locked. */
export async function replaceRules(tx: Db, mode: string, rules: readonly Row[]): Promise<void> {
  await tx.query('delete from routing_rules where mode = $1', [mode]);
  for (const rule of rules) {
    const { id, merchant_id, position, name, conditions, accounts, fallback, created_at } = rule;
    await tx.query(
      `insert into routing_rules (id, merchant_id, mode, position, name, conditions, accounts, fallback, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [id, merchant_id, mode, position, name, conditions, accounts, fallback, created_at],
      'insert_routing_rule',
    );
  }
}
