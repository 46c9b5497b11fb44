import { hash } from 'node:crypto';

/** A row of the audit as stored. */
export interface AuditRow {
  /** Number of the entry: counts from 1 without gaps. */
  readonly seq: number;
  readonly at: Date;
  readonly actor: string;
  readonly verb: string;
  readonly merchant_id: string | null;
  readonly mode: string | null;
  readonly token_hash: string | null;
  readonly outcome: string;
  readonly prev_hash: Buffer;
  readonly hash: Buffer;
}

/** The newest row of a chain, which the next row continues. */
export type Head = Pick<AuditRow, 'seq' | 'hash'>;

/** Predecessor of the first row. */
export const GENESIS: Head = { seq: 0, hash: Buffer.alloc(32) };

export type UnchainedRow = Omit<AuditRow, 'seq' | 'prev_hash' | 'hash'>;

/** SHA-256 of all columns, encoded so that different rows have different inputs. */
export function hashOf(row: Omit<AuditRow, 'hash'>): Buffer {
  const { seq, at, actor, verb, merchant_id, mode, token_hash, outcome, prev_hash } = row;
  const hashedFields = [
    seq,
    at.toISOString(),
    actor,
    verb,
    merchant_id,
    mode,
    token_hash,
    outcome,
    prev_hash.toString('hex'),
  ];
  return hash('sha256', JSON.stringify(hashedFields), 'buffer');
}

/** Appends rows to a chain, in order. */
export function chainRows(head: Head, rows: readonly UnchainedRow[]): AuditRow[] {
  const auditRows: AuditRow[] = [];
  let previous = head;
  for (const row of rows) {
    const linkedRow = { ...row, seq: previous.seq + 1, prev_hash: previous.hash };
    const auditRow = { ...linkedRow, hash: hashOf(linkedRow) };
    auditRows.push(auditRow);
    previous = auditRow;
  }
  return auditRows;
}

/** Reason why a row is not a valid successor of `head`; undefined if it is valid. */
export function findFault(head: Head, row: AuditRow): string | undefined {
  if (row.seq !== head.seq + 1) return `entries ${head.seq + 1} to ${row.seq - 1} are missing`;
  if (!row.prev_hash.equals(head.hash)) return `entry ${row.seq} does not continue the one before`;
  if (!row.hash.equals(hashOf(row))) return `entry ${row.seq} was changed`;
  return undefined;
}
