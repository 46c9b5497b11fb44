import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { publishDraft } from '@florin/contract/publish-draft.ts';
import { syncDirectory } from './sync-directory.ts';

/**
 * Creates a file that only its owner reads: with all of its text, or not at all. Rejects with the code EEXIST for a name
 * that is taken, and leaves nothing on a full disk.
 */
export async function createWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await fs.writeFile(draft, text, { mode: 0o600, flush: true });
    await publishDraft(fs, draft, path);
  } finally {
    await fs.rm(draft, { force: true });
  }
  await syncDirectory(dirname(path));
}
