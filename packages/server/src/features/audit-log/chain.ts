import { createHash } from 'node:crypto';
import { type ChainedRow, type ChainHead, findChainFault } from '@florin/contract/hash-chain.ts';

/** A row of the audit log. */
export interface AuditLogRow extends ChainedRow<Buffer> {
  /** JSON text, whose bytes the hash covers. */
  readonly entry: string;
}

/** A row that the next row continues. */
export type Head = ChainHead<Buffer>;

/** Predecessor of the first row. */
export const GENESIS: Head = { seq: 0, hash: Buffer.alloc(32) };

/** The hash of a row, as the function `append_audit_log` of the database makes it. */
export const auditLogHash = ({ seq, entry, prev_hash }: Omit<AuditLogRow, 'hash'>): Buffer =>
  createHash('sha256').update(`${seq}\n${entry}`).update(prev_hash).digest();

/** Reason why a row is not a valid successor of `head`; undefined if it is valid. */
export const findFault = (head: Head, row: AuditLogRow): string | undefined =>
  findChainFault(head, row, auditLogHash);

/** Text of a head for people and files: number and hash. */
export const headText = ({ seq, hash }: Head): string => `${seq}:${hash.toString('hex')}`;

const HEAD = /^(\d{1,15}):([0-9a-f]{64})$/;

/** Parses `headText`. Returns undefined for any other text. */
export function parseHead(text: string): Head | undefined {
  const [, seq = '', hash = ''] = HEAD.exec(text.trim()) ?? [];
  return hash ? { seq: Number(seq), hash: Buffer.from(hash, 'hex') } : undefined;
}
