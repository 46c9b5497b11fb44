import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { inheritedEnv } from '@florin/dev-env/config/env.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Built files that a commit does not have. Payments do not need them in their old version. */
const BUILT = ['browser-sdk', 'hosted-fields', 'dashboard', 'webhooks'];

/** The program of an earlier release. */
export interface Release {
  readonly name: string;
  readonly packages: string;
}

/**
 * Unpacks a release into an empty directory: an archive of `npm run release`, or a commit of this repository. Packages
 * from npm are those of this checkout. Throws if neither is found.
 */
export function openRelease(from: string, directory: string): Release {
  mkdirSync(directory, { recursive: true });
  if (isArchive(from)) unpack(from, directory, '--strip-components=1');
  else unpack(archiveOf(commitOf(from), directory), directory);
  linkPackages(directory);
  const packages = join(directory, 'packages');
  for (const name of BUILT) linkMissing(join(ROOT, 'packages', name), join(packages, name), 'dist');
  linkMissing(join(ROOT, 'docs'), join(directory, 'docs'), 'dist');
  return { name: isArchive(from) ? from : commitOf(from).slice(0, 9), packages };
}

const isArchive = (from: string): boolean => existsSync(from) && statSync(from).isFile();

function commitOf(from: string): string {
  try {
    return git('rev-parse', '--verify', '--quiet', `${from}^{commit}`).trim();
  } catch {
    throw new Error(
      `This checkout has no commit ${from}. Give --from a commit of its history, or an archive of npm run release.`,
    );
  }
}

function archiveOf(commit: string, directory: string): string {
  const file = join(directory, 'release.tar');
  git('archive', '--output', file, commit, 'packages', 'scripts', 'package.json');
  return file;
}

const git = (...words: string[]): string =>
  execFileSync('git', ['-C', ROOT, ...words], { encoding: 'utf8' });

const unpack = (file: string, directory: string, ...options: string[]): void => {
  execFileSync('tar', ['-xf', file, '-C', directory, ...options]);
};

/** Packages from npm are links to this checkout's, Florin's own to those of the release. */
function linkPackages(directory: string): void {
  const target = join(directory, 'node_modules');
  mkdirSync(join(target, '@florin'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@florin') linkMissing(join(ROOT, 'node_modules'), target, name);
  for (const name of readdirSync(join(directory, 'packages')))
    linkMissing(join(directory, 'packages'), join(target, '@florin'), name);
}

function linkMissing(source: string, target: string, name: string): void {
  if (existsSync(join(target, name)) || !existsSync(join(source, name))) return;
  mkdirSync(target, { recursive: true });
  symlinkSync(join(source, name), join(target, name));
}

/** Migrates a database with the program of a release, as `florin migrate` does. */
export async function migrateWith({ packages }: Release, ownerUrl: string): Promise<void> {
  for (const part of ['server', 'vault']) {
    const script = join(packages, part, 'src', 'bin', 'migrate.ts');
    const env = {
      ...inheritedEnv(),
      FLORIN_OWNER_DATABASE_URL: ownerUrl,
      VAULT_OWNER_DATABASE_URL: ownerUrl,
    };
    const child = spawn(process.execPath, [script], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`the ${part} of the release could not migrate`);
  }
}
