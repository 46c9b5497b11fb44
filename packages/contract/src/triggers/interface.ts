/** A record as served by the interface. */
export interface ApiRecord {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Functions of the interface and the host that event recipes need. */
export interface TriggerHost {
  /** Sends a resource object or no body. Resolves with the record in the response. */
  send(method: 'GET' | 'POST' | 'PATCH', path: string, data?: object): Promise<ApiRecord>;
  list(path: string): Promise<{ readonly data: readonly ApiRecord[] }>;
  pause(ms: number): Promise<void>;
  /** Time of the host in milliseconds since 1970. */
  now_ms(): number;
  /** A unique text. */
  newKey(): string;
}

/**
 * Thrown if an event did not arrive or cannot be triggered. The message is one sentence for the
 * caller.
 */
export class TriggerFailure extends Error {
  override name = 'TriggerFailure';
}
