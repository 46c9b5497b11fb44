import { faultOf } from '../kernel/logger.ts';
import type { Database, Db } from '../store/db.ts';
import {
  type AuditRow,
  chainRows,
  findFault,
  GENESIS,
  type Head,
  type UnchainedRow,
} from './chain.ts';

/** Rows per read while the chain is verified. */
const VERIFY_ROWS = 5_000;
/** A vault of an earlier release takes another lock, so that both can choose the same number. */
const APPEND_TRIES = 5;
const UNIQUE_VIOLATION = '23505';

/** Appends rows in one transaction. A lock makes vaults of one database append in sequence. */
export async function append(db: Database, rows: readonly UnchainedRow[]): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction((tx) => appendLocked(tx, rows));
    } catch (error) {
      if (tries === APPEND_TRIES || faultOf(error) !== UNIQUE_VIOLATION) throw error;
    }
  }
}

/** Locks a row of the vault's schema, because every login of the database can take an advisory lock. */
async function appendLocked(tx: Db, rows: readonly UnchainedRow[]): Promise<void> {
  const locked = await tx.query('select from vault.audit_lock for update', [], 'lock-audit');
  if (locked.length === 0) throw new Error('The table vault.audit_lock has no row.');
  await insert(tx, chainRows(await readHead(tx), rows));
}

export async function readHead(db: Db): Promise<Head> {
  const [row] = await db.query<{ seq: string; hash: Buffer }>(
    'select seq, hash from vault.audit order by seq desc limit 1',
    [],
    'audit-head',
  );
  return row ? { seq: Number(row.seq), hash: row.hash } : GENESIS;
}

/** Hash of the entry with this number; undefined without such an entry. */
export async function readHash(db: Db, seq: number): Promise<Buffer | undefined> {
  const [row] = await db.query<{ hash: Buffer }>('select hash from vault.audit where seq = $1', [
    seq,
  ]);
  return row?.hash;
}

async function insert(tx: Db, rows: readonly AuditRow[]): Promise<void> {
  await tx.query(
    `insert into vault.audit (seq, at, actor, verb, merchant_id, mode, token_hash, outcome, prev_hash, hash)
     select * from unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[],
       $7::text[], $8::text[], $9::bytea[], $10::bytea[])`,
    [
      rows.map(({ seq }) => seq),
      rows.map(({ at }) => at),
      rows.map(({ actor }) => actor),
      rows.map(({ verb }) => verb),
      rows.map(({ merchant_id }) => merchant_id),
      rows.map(({ mode }) => mode),
      rows.map(({ token_hash }) => token_hash),
      rows.map(({ outcome }) => outcome),
      rows.map(({ prev_hash }) => prev_hash),
      rows.map(({ hash }) => hash),
    ],
    'append-audit',
  );
}

/** Result of verifying the complete chain. */
export interface AuditVerdict {
  /** Number of valid rows before the first invalid row. */
  readonly entries: number;
  /** Hash of the last valid row, in hex. A copy kept elsewhere can later prove that no row was changed. */
  readonly head: string;
  /** Description of the first invalid row. */
  readonly fault?: string;
}

/** Recomputes the chain from its first row; `onRows` gets the number of valid rows so far. */
export async function verifyChain(
  db: Db,
  onRows: (entries: number) => void,
): Promise<AuditVerdict> {
  let head = GENESIS;
  for (;;) {
    const rows = await readRowsAfter(db, head.seq);
    for (const row of rows) {
      const fault = findFault(head, row);
      if (fault) return { entries: head.seq, head: head.hash.toString('hex'), fault };
      head = row;
    }
    if (rows.length < VERIFY_ROWS) return { entries: head.seq, head: head.hash.toString('hex') };
    onRows(head.seq);
  }
}

async function readRowsAfter(db: Db, seq: number): Promise<AuditRow[]> {
  const rows = await db.query<Omit<AuditRow, 'seq'> & { seq: string }>(
    `select seq, at, actor, verb, merchant_id, mode, token_hash, outcome, prev_hash, hash
     from vault.audit where seq > $1 order by seq limit ${VERIFY_ROWS}`,
    [seq],
  );
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}
