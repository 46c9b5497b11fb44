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
