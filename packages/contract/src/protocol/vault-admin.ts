/** Protocol between operators' commands and the vault: JSON over HTTP on a socket of their own. */

/** Paths of the operators' socket. All are POST and respond with lines of `VaultAdminLine`. */
export const vaultAdminPaths = {
  rotate: '/rotate',
  retire: '/retire',
  destroy: '/destroy',
  keys: '/keys',
  /** Shows or sets the new cards a day of a merchant. */
  limit: '/limit',
  importOpen: '/import/open',
  importClose: '/import/close',
  rulesList: '/rules/list',
  rulesAccept: '/rules/accept',
  rulesWithdraw: '/rules/withdraw',
  /** Writes a ticket for the cards of a merchant in another vault. */
  cardsReceive: '/cards/receive',
  /** Seals a page of cards for the vault of a ticket. */
  cardsSend: '/cards/send',
  /** Stores a page of another vault. */
  cardsImport: '/cards/store',
  /** Lists digests of tokens, or of fingerprints. */
  cardsList: '/cards/list',
  audit: '/audit/verify',
  auditExport: '/audit/export',
} as const;

/**
 * Path that prints what a command would change. A vault of an earlier release does not have the path, and changes nothing.
 * Such a vault would ignore a member of the body.
 */
export const dryRunPathOf = (path: string): string => `${path}/dry-run`;

/** Signed head of the vault's audit chain. `hash` covers all entries up to `seq`. */
export interface AuditHead {
  readonly seq: number;
  /** SHA-256 in hex. */
  readonly hash: string;
  /** Time as ISO 8601. */
  readonly at: string;
  /** Ed25519 public key: SPKI in base64. */
  readonly public_key: string;
  /** Signature in base64, over the lines `florin audit head 1`, `seq`, `hash` and `at`. */
  readonly signature: string;
}

/**
 * A line of the response to an operator. Only the last line has `ok`. Empty lines keep the
 * connection open.
 */
export interface VaultAdminLine {
  readonly text?: string;
  readonly head?: AuditHead;
  /** A ticket, a sealed page, or digests separated by spaces. */
  readonly data?: string;
  /** Where the next page begins; absent after the last. */
  readonly next?: unknown;
  readonly import_id?: string;
  readonly is_last?: boolean;
  readonly merchant_id?: string;
  readonly vault_id?: string;
  readonly ok?: boolean;
}
