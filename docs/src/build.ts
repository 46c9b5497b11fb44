import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vitepress';
import { takeLock } from './site/lock.ts';
import { isSiteCurrent, writeStamp } from './site/stamp.ts';
import { BUILD, DIST, ROOT, writeSources, writeTwins } from './site/write.ts';

/** Builds the site into `docs/dist`. The previous site stays in place until the new one is complete. */
async function buildSite(): Promise<void> {
  const started = performance.now();
  const site = writeSources();
  await build(ROOT);
  const built = join(BUILD, 'dist');
  writeTwins(site, built);
  writeStamp(built);
  rmSync(DIST, { recursive: true, force: true });
  renameSync(built, DIST);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`Built the documentation: ${site.length} pages in ${seconds} s.`);
}

using _lock = await takeLock(join(BUILD, 'lock'));
if (!process.argv.includes('--if-stale') || !isSiteCurrent(DIST)) await buildSite();
