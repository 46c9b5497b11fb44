/**
 * Message of a child to its supervisor over the IPC channel: `ready`, or one sentence with the reason of the failure.
 */
export type ChildMessage = ReadyMessage | { readonly type: 'failed'; readonly message: string };

export interface ReadyMessage {
  readonly type: 'ready';
  /** Address of the simulator. */
  readonly url?: string;
  /** Own addresses of the simulator's stand-ins of processors. */
  readonly stand_in_urls?: readonly string[];
  /** The server's file with API keys and login. */
  readonly credentials_path?: string;
  /** Whether the server created the keys during this start. */
  readonly first_start?: boolean;
  /** Problem for the operator, although the server is ready. */
  readonly notice?: string;
}

/** Parses a message; undefined for unknown types. */
export function parseChildMessage(message: unknown): ChildMessage | undefined {
  if (typeof message !== 'object' || message === null || !('type' in message)) return undefined;
  if (message.type === 'ready') return message as ReadyMessage;
  if (message.type !== 'failed' || !('message' in message)) return undefined;
  return { type: 'failed', message: String(message.message) };
}
