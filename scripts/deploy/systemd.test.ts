import { spawnSync } from 'node:child_process';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { secretFileOf, secretVariables } from '@florin/contract/secret-variables.ts';
import { variables } from '@florin/contract/variables.ts';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../program.ts';

const units = globSync('deploy/systemd/*.service', { cwd: ROOT }).sort();
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const analyze = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, {
    encoding: 'utf8',
    cwd: ROOT,
  });
  return { status, output: `${stdout}${stderr}` };
};
/** A container has the program without a running systemd, which both commands do without. */
const hasSystemd = analyze('--version').status === 0;
/** On systemd's scale from 0 to 10. Most services of Debian are above 9. */
const EXPOSURE_MAX = 1.6;

describe.each(units)('%s', (unit) => {
  it('sets variables that Florin reads', () => {
    const names = [...read(unit).matchAll(/[= ]((?:FLORIN|VAULT|DATABASE)_[A-Z_]+)=/g)];
    const known = [...Object.keys(variables), ...secretVariables.map(secretFileOf)];
    expect(names.length).toBeGreaterThan(2);
    expect(known).toEqual(expect.arrayContaining(names.map(([, name]) => name)));
  });

  it('runs as a user of its own', () => {
    const user = basename(unit, '.service');
    const [page, group] = user === 'florin-router' ? ['cells', user] : ['production', 'florin'];
    expect(read(unit)).toMatch(new RegExp(`^User=${user}\n(?:#.*\n)?Group=${group}$`, 'm'));
    expect(read(`docs/pages/operate/${page}.md`)).toContain(`--create-home ${user}\n`);
    expect(read('deploy/systemd/florin.sysusers')).toMatch(new RegExp(`^u ${user} `, 'm'));
  });

  it.runIf(hasSystemd)(
    'is exposed as little as a program with a compiler can be (needs systemd)',
    () => {
      const { output } = analyze(
        'security',
        '--offline=true',
        `--threshold=${EXPOSURE_MAX * 10}`,
        unit,
      );
      const [, exposure] = /exposure level for .*: ([\d.]+)/.exec(output) ?? [];
      expect(Number(exposure), output).toBeLessThanOrEqual(EXPOSURE_MAX);
    },
  );
});

const made = mkdtempSync(join(tmpdir(), 'florin-units-'));
afterAll(() => rmSync(made, { recursive: true }));

/** Units for several processes, which the page makes of `florin.service`. */
function derivedUnits(): string[] {
  const page = read('docs/pages/operate/high-availability.md');
  const [, commands = ''] =
    /cd \/opt\/florin\/deploy\/systemd\n([\s\S]*?)\n\s*```/.exec(page) ?? [];
  const script = commands.replaceAll('/etc/systemd/system', made);
  const { status, stderr } = spawnSync('sh', ['-ec', script], {
    encoding: 'utf8',
    cwd: join(ROOT, 'deploy/systemd'),
  });
  if (status !== 0) throw new Error(`The commands of the page failed: ${stderr}`);
  return readdirSync(made)
    .sort()
    .map((name) => join(made, name));
}

it('the commands of the page make units of an api and a worker', () => {
  const base = read('deploy/systemd/florin.service').split('\n');
  const changes = derivedUnits().map((unit) => [
    basename(unit),
    ...readFileSync(unit, 'utf8')
      .split('\n')
      .filter((line) => !base.includes(line)),
  ]);
  expect(changes).toEqual([
    [
      'florin-api@.service',
      'Description=Florin: API at %i',
      'Environment=PORT=%i',
      'ExecStart=/usr/bin/node scripts/run.mjs florin serve api',
    ],
    [
      'florin-worker@.service',
      'Description=Florin: worker at %i',
      'Environment=FLORIN_PRIVATE_LISTEN=127.0.0.1:%i',
      'ExecStart=/usr/bin/node scripts/run.mjs florin serve worker',
    ],
  ]);
});

describe('a trial', () => {
  it('has the command of its page, which passes every variable and argument on', () => {
    const at = mkdtempSync(join(tmpdir(), 'florin-trial-'));
    onTestFinished(() => rmSync(at, { recursive: true }));
    mkdirSync(join(at, 'scripts'));
    writeFileSync(
      join(at, 'florin.env'),
      "VAULT_DATABASE_URL='postgres://a&b c'\nVAULT_KMS=pkcs11\n",
    );
    const program = 'console.log(JSON.stringify([process.env, process.argv.slice(2)]))';
    writeFileSync(join(at, 'scripts/run.mjs'), program);
    const script = read('deploy/trial/florin')
      .replace('$(id -u)', '0')
      .replace('/etc/florin.env', join(at, 'florin.env'))
      .replace('/opt/florin', at)
      .replace('PATH=/usr/local/bin', `PATH=${dirname(process.execPath)}:/usr/local/bin`)
      .replace(/setpriv .*--init-groups /, '');
    const args = ['-c', script, 'florin', 'operator', 'add', 'a b'];
    const env = { FLORIN_DATA: '/of/the/caller' };
    const { stdout, stderr } = spawnSync('sh', args, { encoding: 'utf8', env });
    expect(stderr).toBe('');
    const [seen, words] = JSON.parse(stdout);
    expect(seen).toMatchObject({ VAULT_DATABASE_URL: 'postgres://a&b c', VAULT_KMS: 'pkcs11' });
    expect(seen).not.toHaveProperty('FLORIN_DATA');
    expect(words).toEqual(['florin', 'operator', 'add', 'a b']);
  });

  it.runIf(hasSystemd)('has a unit that systemd understands (needs systemd)', () => {
    const { output } = analyze('verify', 'deploy/trial/florin.service');
    expect(output.split('\n').filter((line) => line && !/\/usr\/bin\/npm/.test(line))).toEqual([]);
  });
});

it.runIf(hasSystemd)('systemd understands every line of the units (needs systemd)', () => {
  const { output } = analyze('verify', ...units, ...derivedUnits());
  // Only the machine of an installation has Node at this path.
  expect(output.split('\n').filter((line) => line && !line.includes('/usr/bin/node'))).toEqual([]);
});
