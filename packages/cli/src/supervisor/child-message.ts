/** What a child process tells its supervisor over the IPC channel: that it serves, or in one sentence why it cannot. */
export type ChildMessage = Ready | { readonly type: 'failed'; readonly message: string };

export interface Ready {
  readonly type: 'ready';
  /** Where the simulator answers. */
  readonly url?: string;
  /** The server's file of keys and login. */
  readonly credentials_path?: string;
  /** True when the server made the keys in this start. */
  readonly first_start?: boolean;
  /** What people are to do about something that is amiss, though the server serves. */
  readonly notice?: string;
}

/** Reads a message; undefined for anything a supervisor does not know. */
export function parseChildMessage(message: unknown): ChildMessage | undefined {
  if (typeof message !== 'object' || message === null || !('type' in message)) return undefined;
  if (message.type === 'ready') return message as Ready;
  if (message.type !== 'failed' || !('message' in message)) return undefined;
  return { type: 'failed', message: String(message.message) };
}
