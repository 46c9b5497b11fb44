import { networkOf } from '../../platform/rates/network-of.ts';

/** Connections of a router to one cell. A cell that hangs must not take all sockets of the process. */
export const CELL_CONNECTIONS_MAX = 1_024;
/** Requests to one cell that wait for a connection. Further ones are refused at once. */
export const CELL_WAITING_MAX = 256;

/** Limits of the clients of a router, so that slow ones leave connections to others. */
export interface ClientLimits {
  /** Connections of all clients. Node closes further ones at once. */
  readonly clients_max: number;
  /** Requests in progress of one address (IPv6: /64), as the trusted proxies tell it. */
  readonly requests_per_address_max: number;
  /** Exchanges that hold a connection to one cell while they wait for their clients. */
  readonly slow_max: number;
  /** Milliseconds after which the oldest of these ends, once there are more. */
  readonly slow_ms: number;
  /** Longest pause of an answer, in milliseconds. */
  readonly stall_ms: number;
  /** Longest time from the head of an answer to its end, in milliseconds. */
  readonly delivery_ms: number;
}

/** No address, and no slow clients together, have more than half of the connections to a cell. */
export const CLIENT_LIMITS: ClientLimits = {
  clients_max: 8_192,
  requests_per_address_max: CELL_CONNECTIONS_MAX / 2,
  slow_max: CELL_CONNECTIONS_MAX / 2,
  slow_ms: 1_000,
  stall_ms: 60_000,
  delivery_ms: 300_000,
};

/** Counts the requests in progress of each address. */
export function createAddressCounts(max: number) {
  const counts = new Map<string, number>();
  return {
    /** Counts one more request. Returns the function that ends it; undefined beyond the limit. */
    enter(ip: string): (() => void) | undefined {
      const network = networkOf(ip);
      const count = counts.get(network) ?? 0;
      if (count >= max) return undefined;
      counts.set(network, count + 1);
      return () => {
        const left = (counts.get(network) ?? 0) - 1;
        if (left > 0) counts.set(network, left);
        else counts.delete(network);
      };
    },
  };
}
