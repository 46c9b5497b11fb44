import type { Db } from '../../platform/database/db.ts';
import { isTrue, type Row } from '../../platform/database/row.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { AuditLogRow, Head } from './chain.ts';

/** Tables whose rows the log has. */
export const AUDITED_TABLES = [
  'audit_entries',
  'oversight_entries',
  'processor_account_entries',
] as const;
export type AuditedTable = (typeof AUDITED_TABLES)[number];

const bytesOf = (hex: unknown): Buffer => Buffer.from(hex as string, 'hex');

const rowOf = ({ seq, entry, prev_hash, hash }: Row): AuditLogRow => ({
  seq: Number(seq),
  entry: entry as string,
  prev_hash: bytesOf(prev_hash),
  hash: bytesOf(hash),
});

const COLUMNS = `seq, entry, encode(prev_hash, 'hex') as prev_hash, encode(hash, 'hex') as hash`;

/** Rows after a number, in order. */
export async function readRowsAfter(db: Db, seq: number, limit: number): Promise<AuditLogRow[]> {
  const sql = `select ${COLUMNS} from audit_log where seq > $1 order by seq limit $2`;
  return (await db.query(sql, [seq, limit], 'read_audit_log')).map(rowOf);
}

/** The newest row; undefined in an empty log. */
export async function readLast(db: Db): Promise<AuditLogRow | undefined> {
  const sql = `select ${COLUMNS} from audit_log order by seq desc limit 1`;
  const [row] = await db.query(sql, [], 'last_of_audit_log');
  return row && rowOf(row);
}

/** Stores a command that somebody ran on the server. */
export async function appendCommand(
  db: Db,
  { command, subject, user }: Readonly<Record<'command' | 'subject' | 'user', string>>,
): Promise<void> {
  await db.query('select append_audit_command($1, $2, $3)', [command, subject, user]);
}

export const otherMode = (mode: Scope['mode']): Scope['mode'] =>
  mode === 'live' ? 'sandbox' : 'live';

/** Whether one of the records is the merchant's in the mode that is not `mode`. For alarms only: callers get 404. */
export async function isOfOtherMode(
  db: Db,
  table: string,
  { ids, merchant_id, mode }: Scope & { readonly ids: readonly string[] },
): Promise<boolean> {
  const sql = `select id from ${table} where id = any($1::uuid[]) and merchant_id = $2 and mode = $3 limit 1`;
  const values = [ids, merchant_id, otherMode(mode)];
  return (await db.query(sql, values, `other_mode_${table}`)).length > 0;
}

/** Deletes rows past their retention. Returns their number. */
export async function pruneAuditLog(db: Db, days: number, limit: number): Promise<number> {
  const [row] = await db.query('select prune_audit_log($1, $2) as count', [days, limit]);
  return Number(row?.count ?? 0);
}

/**
 * Numbers of rows in a slice whose record is gone or differs from the newest row about it. Records older than
 * `days` may be gone.
 */
export async function findDifferences(
  db: Db,
  {
    after,
    through,
    days,
  }: { readonly after: number; readonly through: number; readonly days: number },
): Promise<{ readonly seq: number; readonly isGone: boolean }[]> {
  const record = AUDITED_TABLES.map(
    (table) => `when '${table}' then (select to_jsonb(r) from ${table} r where r.id = l.entry_id)`,
  ).join(' ');
  const rows = await db.query(
    `select n.seq, n.record is null as gone from (
       select l.seq, l.at, l.entry::jsonb -> 'row' as image,
         case l.entry::jsonb ->> 'table' ${record} end as record
       from audit_log l
       where l.seq > $1 and l.seq <= $2 and l.entry_id is not null and not exists (
         select from audit_log newer where newer.entry_id = l.entry_id and newer.seq > l.seq)
     ) n
     where n.record is null and n.at > clock_timestamp() - make_interval(days => $3)
       or n.record is not null and not n.record @> n.image
     order by n.seq`,
    [after, through, days],
    'differences_of_audit_log',
  );
  return rows.map(({ seq, gone }) => ({ seq: Number(seq), isGone: isTrue(gone) }));
}

/** Ids of records after an id that the log does not have; `last` is the last id that was read. */
export async function findUnlogged(
  db: Db,
  {
    table,
    after,
    limit,
  }: { readonly table: AuditedTable; readonly after: string; readonly limit: number },
): Promise<{ readonly ids: string[]; readonly last: string | undefined }> {
  const rows = await db.query(
    `select r.id, exists (select from audit_log l where l.entry_id = r.id) as logged
     from ${table} r where r.id > $1 order by r.id limit $2`,
    [after, limit],
    `unlogged_${table}`,
  );
  const unlogged = rows.filter(({ logged }) => !isTrue(logged));
  return { ids: unlogged.map(({ id }) => id as string), last: rows.at(-1)?.id ?? undefined };
}

/** State of the periodic check. */
export interface CheckState {
  readonly head: Head;
  readonly fault: string | null;
}

/** The state of the check; undefined before the first. */
export async function readCheck(db: Db): Promise<CheckState | undefined> {
  const sql = `select seq, encode(hash, 'hex') as hash, fault from audit_log_check`;
  const [row] = await db.query(sql, [], 'read_audit_log_check');
  return (
    row && {
      head: { seq: Number(row.seq), hash: bytesOf(row.hash) },
      fault: row.fault as string | null,
    }
  );
}

/** Stores the state of the check. A fault stays until it is accepted. */
export async function storeCheck(db: Db, { head, fault }: CheckState, at: string): Promise<void> {
  await db.query(
    `select store_audit_check($1, decode($2, 'hex'), $3, $4)`,
    [head.seq, head.hash.toString('hex'), fault, at],
    'store_audit_log_check',
  );
}

/** Lets the checks continue after a fault, and logs that. Returns the fault; null without one. */
export async function acceptAuditFault(db: Db, user: string, at: string): Promise<string | null> {
  const [row] = await db.query('select accept_audit_fault($1, $2) as fault', [user, at]);
  return row?.fault ?? null;
}
