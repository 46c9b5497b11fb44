/** A record as the interface shows it. */
export interface ApiRecord {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** What makes events needs of the interface, and of where it runs. */
export interface TriggerHost {
  /** Sends a resource object, or none, and resolves with the record that is answered. */
  send(method: 'GET' | 'POST' | 'PATCH', path: string, data?: object): Promise<ApiRecord>;
  /** The first page of a list. */
  list(path: string): Promise<{ readonly data: readonly ApiRecord[] }>;
  pause(ms: number): Promise<void>;
  /** The instant of the host, in milliseconds since 1970. */
  now_ms(): number;
  /** A text that nobody had before. */
  newKey(): string;
}

/** An event did not come, or cannot be made to: one sentence for who asked for it. */
export class TriggerFailure extends Error {
  override name = 'TriggerFailure';
}
