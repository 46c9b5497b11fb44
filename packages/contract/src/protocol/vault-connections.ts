/**
 * Connections of one server process to one vault, by pool. A slow processor holds a connection for each message, so
 * each pool has more than all loops that use it together.
 */
export const SERVER_CONNECTIONS = {
  /** Messages with a card, card forms, and short calls such as those for keys. */
  cards: 384,
  /** Messages without a card: captures, refunds, inquiries and reports. */
  cardless: 1_024,
  /** Probes of the vault's health, which messages must not delay. */
  probes: 1,
} as const;

/** Pool of a server's connections to a vault. */
export type ServerPool = keyof typeof SERVER_CONNECTIONS;

/** Connections of one server process to one vault. */
export const CONNECTIONS_OF_SERVER = Object.values(SERVER_CONNECTIONS).reduce<number>(
  (sum, count) => sum + count,
  0,
);

/** Status with which a vault refuses a call that it has not begun, because it has too many. */
export const VAULT_BUSY_STATUS = 429;
