import type { AuditHead } from '@florin/contract/protocol/vault-admin.ts';
import type { Clock } from '../kernel/clock.ts';
import type { AuditKey } from '../keys/audit-key.ts';
import type { Database } from '../store/db.ts';
import type { Actor, Audit } from './audit.ts';
import { readHash, readHead } from './audit-store.ts';

export interface HeadDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly auditKey: AuditKey;
}

/** Signs the newest entry. A copy stored elsewhere can later prove that no entry was removed. */
export async function exportHead(deps: HeadDeps, actor: Actor): Promise<AuditHead> {
  // Writes queued entries too, so that the exported head covers them.
  await deps.audit.record({ actor, verb: 'export_head', outcome: 'exported' });
  const { seq, hash } = await readHead(deps.db);
  const head = { seq, hash: hash.toString('hex'), at: new Date(deps.clock()).toISOString() };
  const { public_key, signature } = await deps.auditKey.sign(messageOf(head));
  return {
    ...head,
    public_key: public_key.toString('base64'),
    signature: signature.toString('base64'),
  };
}

/** Text to sign. The first line prevents the use of the signature for other purposes. */
const messageOf = ({ seq, hash, at }: Pick<AuditHead, 'seq' | 'hash' | 'at'>): Buffer =>
  Buffer.from(`florin audit head 1\n${seq}\n${hash}\n${at}`);

/**
 * Compares an exported head with the current audit. Returns a sentence about the difference; undefined
 * without one.
 */
export async function findHeadFault(
  { db, auditKey }: HeadDeps,
  head: AuditHead,
  entryCount: number,
): Promise<string | undefined> {
  const signature = Buffer.from(head.signature, 'base64');
  const isOwnSignature = await auditKey.verify(messageOf(head), signature);
  if (isOwnSignature === undefined)
    return 'This vault has never exported a head, so it has no key to verify one.';
  if (!isOwnSignature) {
    return 'The head was not signed by this vault, or was changed.';
  }
  if (head.seq > entryCount) {
    return `The audit ends at entry ${entryCount} but had ${head.seq} entries on ${head.at}: entries were removed from its end.`;
  }
  const hash = await readHash(db, head.seq);
  if (hash?.toString('hex') === head.hash) return undefined;
  return `Entry ${head.seq} differs from the head exported at ${head.at}: the audit was rewritten.`;
}
