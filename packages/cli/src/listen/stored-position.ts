import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Access } from '../api/access.ts';
import { type Position, pruneSeen } from './position.ts';

/** Stored state of a listener. One listener is a key, a server and a receiver. */
export interface ListenerState {
  readonly secret: string;
  readonly position: Position | undefined;
  /** Writes the position atomically. */
  store(position: Position): void;
}

interface StoredPosition {
  readonly secret: string;
  readonly through: string;
  readonly seen: readonly (readonly [string, string])[];
}

const SECRET_BYTES = 32;
const NAME_CHARACTERS = 16;

/** Opens a listener's stored state. `secret` overrides the stored secret. */
export function openListenerState(
  dataDir: string,
  { base_url, key }: Access,
  forwardTo: string,
  givenSecret?: string,
): ListenerState {
  const directory = join(dataDir, 'listen');
  const name = createHash('sha256').update(`${base_url} ${key} ${forwardTo}`).digest('hex');
  const path = join(directory, `${name.slice(0, NAME_CHARACTERS)}.json`);
  const storedState = readStored(path);
  // Hex is also valid base64: receivers may use the text itself as the key, or decode it.
  const secret = givenSecret ?? storedState?.secret ?? randomBytes(SECRET_BYTES).toString('hex');
  return {
    secret,
    position: storedState && { through: storedState.through, seen: new Map(storedState.seen) },
    store(position) {
      pruneSeen(position);
      const { through, seen } = position;
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const text = JSON.stringify({ secret, through, seen: [...seen] } satisfies StoredPosition);
      writeFileSync(`${path}.new`, text, { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
  };
}

/** An unreadable file counts as absent: the listener starts again and reports that. */
function readStored(path: string): StoredPosition | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as StoredPosition;
  } catch {
    return undefined;
  }
}
