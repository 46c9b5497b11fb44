import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Access } from '../api/access.ts';
import { type Position, pruneSeen } from './position.ts';

/** Stored state of a listener. One listener is a key, a server and a receiver. */
export interface Memory {
  readonly secret: string;
  readonly position: Position | undefined;
  /** Writes the position atomically. */
  keep(position: Position): void;
}

interface StoredPosition {
  readonly secret: string;
  readonly through: string;
  readonly seen: readonly (readonly [string, string])[];
}

const SECRET_BYTES = 32;
const NAME_CHARACTERS = 16;

/** Opens a listener's stored state. `secret` overrides the stored secret. */
export function openMemory(
  dataDir: string,
  { base_url, key }: Access,
  forwardTo: string,
  given?: string,
): Memory {
  const directory = join(dataDir, 'listen');
  const name = createHash('sha256').update(`${base_url} ${key} ${forwardTo}`).digest('hex');
  const path = join(directory, `${name.slice(0, NAME_CHARACTERS)}.json`);
  const storedMemory = readStored(path);
  // Hex is also valid base64: receivers may use the text itself as the key, or decode it.
  const secret = given ?? storedMemory?.secret ?? randomBytes(SECRET_BYTES).toString('hex');
  return {
    secret,
    position: storedMemory && { through: storedMemory.through, seen: new Map(storedMemory.seen) },
    keep(position) {
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
