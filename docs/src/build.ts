import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vitepress';
import { takeFileLock } from '../../scripts/setup/file-lock.mjs';
import { isSiteCurrent, sourceStamp, writeStamp } from './site/stamp.ts';
import { BUILD, DIST, ROOT, writeSources, writeTwins } from './site/write.ts';

/** Several times what a build takes on a busy machine. */
const BUILD_MAX_MS = 600_000;

/** Builds the site into `docs/dist`. The previous site stays in place until the new one is complete. */
async function buildSite(): Promise<void> {
  const started = performance.now();
  // Taken first: a source that changes during the build makes the site stale.
  const stamp = sourceStamp();
  const site = writeSources();
  await build(ROOT);
  const built = join(BUILD, 'dist');
  writeTwins(site, built);
  writeStamp(built, stamp);
  replaceFolder(DIST, built);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`Built the documentation: ${site.length} pages in ${seconds} s.`);
}

/** Moves the previous folder away before it deletes it, so that the server misses files for a moment only. */
function replaceFolder(folder: string, newFolder: string): void {
  const previous = join(BUILD, 'previous');
  rmSync(previous, { recursive: true, force: true });
  if (existsSync(folder)) renameSync(folder, previous);
  renameSync(newFolder, folder);
  rmSync(previous, { recursive: true, force: true });
}

mkdirSync(BUILD, { recursive: true });
const lock = await takeFileLock(join(BUILD, 'lock'), { held_max_ms: BUILD_MAX_MS });
try {
  if (!process.argv.includes('--if-stale') || !isSiteCurrent(DIST)) await buildSite();
} finally {
  rmSync(lock, { force: true });
}
