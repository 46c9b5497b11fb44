import { randomUUID } from 'node:crypto';
import type { Audit } from '../audit/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import { badRequest } from '../kernel/errors.ts';
import type { AuditKey } from '../keys/audit-key.ts';
import type { RootKeys, WrappedKey } from '../keys/root-keys.ts';
import { findVaultId } from '../keys/vault-id.ts';
import type { Database, Db } from '../store/db.ts';
import { createImportKey } from './page-key.ts';
import { keyDigest, ticketMessage, ticketText } from './ticket.ts';

/** Time for which a ticket can be used. */
export const IMPORT_LIFE_MS = 24 * 60 * 60 * 1000;

export interface ReceiveDeps {
  readonly db: Database;
  readonly rootKeys: RootKeys;
  readonly auditKey: AuditKey;
  readonly audit: Audit;
  readonly clock: Clock;
}

/** Context that binds a wrapped import key. */
export const importContext = ({
  id,
  merchant_id,
}: {
  readonly id: string;
  readonly merchant_id: string;
}): string => `card-import:${merchant_id}:${id}`;

/** A ticket, and the digest of the key that signs it. */
export interface WrittenTicket {
  readonly ticket: string;
  readonly digest: string;
}

/** Makes a one-time key for the cards of a merchant, in place of an earlier one, and a ticket for the other vault. */
export async function receiveCards(deps: ReceiveDeps, merchant_id: string): Promise<WrittenTicket> {
  const { db, rootKeys, auditKey, audit, clock } = deps;
  const id = randomUUID();
  await audit.record({
    actor: 'operator',
    verb: 'receive_cards',
    merchant_id,
    outcome: `import ${id}`,
  });
  const { private_key, public_key } = createImportKey();
  const { root_version, wrapped } = await rootKeys.wrap(
    private_key,
    importContext({ id, merchant_id }),
  );
  private_key.fill(0);
  const expires_at = new Date(clock() + IMPORT_LIFE_MS);
  await db.transaction(async (tx) => {
    await tx.query('delete from vault.card_imports where merchant_id = $1 or expires_at <= $2', [
      merchant_id,
      new Date(clock()),
    ]);
    await tx.query(
      `insert into vault.card_imports (id, merchant_id, root_version, wrapped, created_at, expires_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [id, merchant_id, root_version, wrapped, new Date(clock()), expires_at],
    );
  });
  const ticket = {
    import_id: id,
    vault_id: await findVaultId(db),
    merchant_id,
    public_key,
    expires_at: expires_at.toISOString(),
  };
  const signed = await auditKey.sign(ticketMessage(ticket));
  const audit_public_key = signed.public_key.toString('base64');
  return {
    ticket: ticketText({ ...ticket, audit_public_key }, signed.signature),
    digest: keyDigest(signed.public_key),
  };
}

/** An import that has not ended. */
export interface OpenImport extends WrappedKey {
  readonly id: string;
  readonly merchant_id: string;
  readonly pages: number;
}

/** The import of an id. Throws `bad_request` if it has ended or expired. */
export async function findImport(db: Db, id: string, now: number): Promise<OpenImport> {
  const [row] = await db.query<OpenImport>(
    `select id, merchant_id, root_version, wrapped, pages from vault.card_imports
     where id::text = $1 and expires_at > $2`,
    [id, new Date(now)],
  );
  if (row) return row;
  throw badRequest('The import has ended or expired. Begin again with "vault cards receive".');
}
