import { hash } from 'node:crypto';
import { type ChainedRow, type ChainHead, findChainFault } from '@florin/contract/hash-chain.ts';

/** A row of the audit as stored. */
export interface AuditRow extends ChainedRow<Buffer> {
  readonly at: Date;
  readonly actor: string;
  readonly verb: string;
  readonly merchant_id: string | null;
  readonly mode: string | null;
  readonly token_hash: string | null;
  readonly outcome: string;
}

/** The newest row of a chain, which the next row continues. */
export type Head = ChainHead<Buffer>;

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
export const findFault = (head: Head, row: AuditRow): string | undefined =>
  findChainFault(head, row, hashOf);
