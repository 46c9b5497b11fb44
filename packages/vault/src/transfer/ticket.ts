import { createHash, createPublicKey, verify } from 'node:crypto';
import { badRequest } from '../kernel/errors.ts';

/** A vault's request for the cards of a merchant, signed with its audit key. */
export interface Ticket {
  readonly import_id: string;
  /** Vault that wants the cards. */
  readonly vault_id: string;
  readonly merchant_id: string;
  /** X25519 public key, SPKI in base64. */
  readonly public_key: string;
  /** Time as ISO 8601. */
  readonly expires_at: string;
  /** Audit key of the vault, SPKI in base64. */
  readonly audit_public_key: string;
}

const PREFIX = 'florin-cards-1.';

/** Text to sign. The first line prevents the use of the signature for other purposes. */
export const ticketMessage = (ticket: Omit<Ticket, 'audit_public_key'>): Buffer =>
  Buffer.from(
    [
      'florin card ticket 1',
      ticket.import_id,
      ticket.vault_id,
      ticket.merchant_id,
      ticket.public_key,
      ticket.expires_at,
    ].join('\n'),
  );

/** Digest of an audit key, which operators enter at the other vault. */
export const keyDigest = (public_key: Buffer): string =>
  createHash('sha256').update(public_key).digest('hex');

/** Writes a ticket as one word. */
export const ticketText = (ticket: Ticket, signature: Buffer): string =>
  PREFIX +
  Buffer.from(JSON.stringify({ ...ticket, signature: signature.toString('base64') })).toString(
    'base64url',
  );

/**
 * Reads a ticket. Throws `bad_request` if it has expired, or if it is not signed by one of the vaults whose digests this
 * vault was started with.
 */
export function openTicket(text: string, trusted: readonly string[], now: number): Ticket {
  const { signature, ...ticket } = parse(text);
  const audit_key = Buffer.from(ticket.audit_public_key, 'base64');
  const digest = keyDigest(audit_key);
  if (!trusted.includes(digest))
    throw badRequest(
      `This vault sends no cards to the vault with the key ${digest}. Start it with that digest in VAULT_SENDS_CARDS_TO.`,
    );
  const key = createPublicKey({ key: audit_key, format: 'der', type: 'spki' });
  if (!verify(null, ticketMessage(ticket), key, Buffer.from(signature, 'base64')))
    throw badRequest('The ticket is not signed by the vault that it names.');
  if (Date.parse(ticket.expires_at) <= now)
    throw badRequest('The ticket has expired. Let the other vault write a new one.');
  return ticket;
}

const MEMBERS = [
  'import_id',
  'vault_id',
  'merchant_id',
  'public_key',
  'expires_at',
  'audit_public_key',
  'signature',
] as const;

function parse(text: string): Ticket & { readonly signature: string } {
  try {
    if (!text.startsWith(PREFIX)) throw new Error('another format');
    const value = JSON.parse(Buffer.from(text.slice(PREFIX.length), 'base64url').toString());
    if (MEMBERS.every((name) => typeof value[name] === 'string')) return value;
  } catch {}
  throw badRequest('ticket must be the text that "vault cards receive" has written.');
}
