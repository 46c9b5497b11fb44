/** Message of a child to its supervisor over the IPC channel: it serves, or one sentence why it cannot. */
export type ChildMessage = Ready | { readonly type: 'failed'; readonly message: string };

export interface Ready {
  readonly type: 'ready';
  /** Address of the simulator. */
  readonly url?: string;
  /** The server's file of keys and login. */
  readonly credentials_path?: string;
  /** True if the server created the keys during this start. */
  readonly first_start?: boolean;
  /** A notice for people about a problem, although the server serves. */
  readonly notice?: string;
}

/** Parses a message; undefined for unknown ones. */
export function parseChildMessage(message: unknown): ChildMessage | undefined {
  if (typeof message !== 'object' || message === null || !('type' in message)) return undefined;
  if (message.type === 'ready') return message as Ready;
  if (message.type !== 'failed' || !('message' in message)) return undefined;
  return { type: 'failed', message: String(message.message) };
}
