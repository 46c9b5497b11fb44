import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { areBundlesCurrent, buildBundles } from '../bundles/bundles.ts';
import { archiveArguments, writeChecksums } from './artefacts.ts';
import {
  BUILT_PATHS,
  COPIED_PATHS,
  isReleased,
  type Manifest,
  rootManifest,
  WORKSPACES,
  workspaceManifest,
} from './contents.ts';
import { dependenciesOf, dependencyFindings, renderLicences } from './licences.ts';

export interface ReleaseOptions {
  readonly root: string;
  /** Directory of the release's files. Files of the same names are replaced. */
  readonly output: string;
  /** Empty working directory. */
  readonly directory: string;
  readonly verifiesSignatures: boolean;
  /** Whether built files of the checkout may be reused; a release builds all of them again. */
  readonly reusesBuild?: boolean;
  /** Directory for the root file system of the image; absent: none is assembled. */
  readonly rootfs?: string;
  readonly print: (line: string) => void;
}

/** A bill of materials that names every package takes some megabytes. */
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024;

const NOT_VERIFIED = 'The signatures of npm packages are not verified.';

/** Runs a program, and returns its output. Throws an `Error` with the output of a program that fails. */
function run(cwd: string, program: string, args: readonly string[]): string {
  const result = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: OUTPUT_MAX_BYTES });
  if (result.status === 0) return result.stdout;
  const reason = result.error?.message ?? `${result.stderr}${result.stdout}`.trim();
  throw new Error(`${program} ${args.slice(0, 2).join(' ')} failed: ${reason}`);
}

/**
 * Makes the files of a release from a commit: an archive that runs in production, a bill of materials
 * (CycloneDX), licences, and checksums. Throws an `Error` that names the next step.
 */
export async function makeRelease(options: ReleaseOptions): Promise<void> {
  const { root, output, print } = options;
  const { version } = readJson<Manifest>(join(root, 'package.json'));
  const name = `florin-${version}`;
  const folder = join(options.directory, name);
  verifySignatures(options);
  print('Building the browser bundles and the documentation.');
  await build(options);
  print('Copying the files of the commit.');
  copyContents(root, folder);
  writeManifests(folder);
  const dependencies = readDependencies(folder);
  writeFileSync(join(folder, 'LICENCES.md'), renderLicences(dependencies));
  mkdirSync(output, { recursive: true });
  const sbom = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'];
  writeFileSync(join(output, `${name}.cdx.json`), run(folder, 'npm', sbom));
  const commit = run(root, 'git', ['show', '--no-patch', '--format=%H %ct', 'HEAD']).trim();
  writeFacts(folder, commit, options.verifiesSignatures);
  const [, seconds] = commit.split(' ');
  const archive = join(output, `${name}.tar.gz`);
  run(options.directory, 'tar', archiveArguments(archive, name, Number(seconds)));
  cpSync(join(folder, 'deploy/image/Dockerfile'), join(output, 'Dockerfile'));
  await writeChecksums(output);
  if (options.rootfs) makeRootfs(folder, options.rootfs);
  print(`Made ${archive}, with ${dependencies.length} packages in its bill of materials.`);
}

/** Builds into empty directories, unless present files may be reused: nobody can tell who wrote those. */
async function build({ root, reusesBuild }: ReleaseOptions): Promise<void> {
  if (!reusesBuild)
    for (const path of BUILT_PATHS) rmSync(join(root, path), { recursive: true, force: true });
  if (!areBundlesCurrent(root)) await buildBundles(root);
  run(root, process.execPath, [join(root, 'docs/src/build.ts'), '--if-stale']);
}

/** Installs the packages of a release, and assembles the same files as the image has. */
export function makeRootfs(folder: string, rootfs: string): void {
  run(folder, 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  run(folder, process.execPath, ['scripts/image/rootfs.mjs', rootfs]);
}

/** Throws an `Error` that lists changes that are not committed. */
export function refuseChanges(root: string): void {
  const changes = run(root, 'git', ['status', '--porcelain']).trim();
  if (changes) throw new Error(`A release is made from a commit. Commit or remove:\n${changes}`);
}

function verifySignatures({ root, verifiesSignatures, print }: ReleaseOptions): void {
  print(verifiesSignatures ? 'Verifying the signatures of npm packages.' : NOT_VERIFIED);
  if (verifiesSignatures) run(root, 'npm', ['audit', 'signatures']);
}

function copyContents(root: string, folder: string): void {
  const listed = run(root, 'git', ['ls-files', '-z', '--', ...COPIED_PATHS]).split('\0');
  for (const path of listed.filter((file) => file && isReleased(file))) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  for (const path of BUILT_PATHS) {
    if (!existsSync(join(root, path))) throw new Error(`${path} is missing after the build.`);
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
}

/** Writes manifests without development dependencies, and lets npm reduce the lock file to them. */
function writeManifests(folder: string): void {
  rewriteJson(join(folder, 'package.json'), rootManifest);
  for (const workspace of WORKSPACES)
    rewriteJson(join(folder, workspace, 'package.json'), workspaceManifest);
  run(folder, 'npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit']);
}

function readDependencies(folder: string) {
  const { packages } = readJson<{ packages: Parameters<typeof dependenciesOf>[0] }>(
    join(folder, 'package-lock.json'),
  );
  const dependencies = dependenciesOf(packages);
  const findings = dependencyFindings(dependencies);
  if (findings.length > 0) throw new Error(findings.join('\n'));
  return dependencies;
}

function writeFacts(folder: string, commit: string, areSignaturesVerified: boolean): void {
  const [hash] = commit.split(' ');
  const facts = {
    commit: hash,
    npm_signatures: areSignaturesVerified ? 'verified' : 'not verified',
  };
  writeFileSync(join(folder, 'release.json'), `${JSON.stringify(facts, null, 2)}\n`);
}

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;

const rewriteJson = (path: string, change: (manifest: Manifest) => Manifest): void =>
  writeFileSync(path, `${JSON.stringify(change(readJson(path)), null, 2)}\n`);
