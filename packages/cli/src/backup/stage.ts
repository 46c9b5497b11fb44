import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { waitUntil } from '../kernel/poll.ts';
import { syncDirectory } from '../kernel/sync-directory.ts';
import { writeWhole } from '../kernel/write-whole.ts';
import { LOCATION_NOTE } from '../postgres/database-location.ts';
import { livePostmaster } from '../postgres/postmaster.ts';
import { restoringDirectory } from '../postgres/refuse-unfinished.ts';
import { isAnyHeld } from '../supervisor/lock.ts';

const END_LIMIT_MS = 10_000;

/** Directory in which an installation is put together before it takes its place. */
export const stageOf = (dataDir: string): string => join(restoringDirectory(dataDir), 'data');

const readyPath = (dataDir: string): string => join(restoringDirectory(dataDir), 'ready.json');

/** Entries of a data directory that a restore may find: its own, and those of a disk. */
const ALLOWED = /^(?:restoring|lost\+found|florin\.lock(?:\..*)?)$/;

/** Throws `PlainFailure` if a server runs with the data directory, or if anything is in it. */
export async function requireEmpty(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return;
  if (isAnyHeld(dataDir) || livePostmaster(join(dataDir, 'postgres')))
    throw new PlainFailure(
      `A Florin or its PostgreSQL runs with ${dataDir}. Stop it, then move the directory away: mv ${dataDir} ${dataDir}-before`,
    );
  if (readyNote(dataDir)) return;
  const found = (await readdir(dataDir)).find((name) => !ALLOWED.test(name));
  if (found)
    throw new PlainFailure(
      `${dataDir} is not empty: it holds ${found}. Move the directory away, or set FLORIN_DATA to an empty one. A restore overwrites nothing.`,
    );
}

/** Whether an earlier restore was interrupted after everything was in place but its name. */
export const readyNote = (dataDir: string): boolean => existsSync(readyPath(dataDir));

/** Creates an empty stage. Removes what an interrupted restore left. */
export async function openStage(dataDir: string): Promise<string> {
  const stage = stageOf(dataDir);
  await removeStage(dataDir);
  await mkdir(stage, { recursive: true, mode: 0o700 });
  // The database user has to reach its own directory in the stage.
  for (const directory of [dataDir, restoringDirectory(dataDir), stage])
    await chmod(directory, 0o711);
  return stage;
}

async function removeStage(dataDir: string): Promise<void> {
  const note = join(stageOf(dataDir), LOCATION_NOTE);
  const elsewhere = existsSync(note) ? (await readFile(note, 'utf8')).trim() : undefined;
  await endPostmaster(join(elsewhere ?? stageOf(dataDir), 'postgres'));
  if (elsewhere) await rm(elsewhere, { recursive: true, force: true });
  await rm(restoringDirectory(dataDir), { recursive: true, force: true });
}

/** Ends the PostgreSQL of a killed restore. The data is discarded, so nothing needs to be written. */
async function endPostmaster(cluster: string): Promise<void> {
  const server = livePostmaster(cluster);
  if (!server) return;
  process.kill(server.pid, 'SIGQUIT');
  if (await waitUntil(() => !livePostmaster(cluster), END_LIMIT_MS)) return;
  throw new PlainFailure(
    `The PostgreSQL of an interrupted restore (process ${server.pid}) does not end. End it, then run the command again.`,
  );
}

/**
 * Moves the complete stage to its place, entry by entry. Repeatable: after a crash the next restore moves what
 * remains. A start refuses until it is done.
 */
export async function publishStage(dataDir: string): Promise<void> {
  if (!readyNote(dataDir)) await writeWhole(readyPath(dataDir), '{}\n');
  const stage = stageOf(dataDir);
  const names = existsSync(stage) ? await readdir(stage) : [];
  for (const name of names) await rename(join(stage, name), join(dataDir, name));
  await syncDirectory(dataDir);
  await rm(stage, { recursive: true, force: true });
  await rm(restoringDirectory(dataDir), { recursive: true, force: true });
}
