import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { takeFileLock } from './file-lock.mjs';
import { isNewEnough } from './find-node.mjs';
import { isFresh, takeLock } from './install.mjs';

const lockedPackages = {
  '': {},
  'packages/cli': { version: '0.1.0' },
  'node_modules/pg': { version: '8.0.0' },
  'node_modules/@florin/cli': { link: true },
  'node_modules/for-another-machine': { version: '1.0.0', optional: true },
};
const installedPackages = {
  'node_modules/pg': { version: '8.0.0' },
  'node_modules/@florin/cli': { link: true },
};

function makeCheckout(present?: object): string {
  const root = mkdtempSync(join(tmpdir(), 'florin-install-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (path: string, packages: object) =>
    writeFileSync(join(root, path), JSON.stringify({ packages }));
  write('package-lock.json', lockedPackages);
  if (!present) return root;
  mkdirSync(join(root, 'node_modules'));
  write('node_modules/.package-lock.json', present);
  return root;
}

describe('the dependencies are installed', () => {
  it.each([
    ['are there as the lock file says', installedPackages, true],
    ['are missing', undefined, false],
    [
      'have another version',
      { ...installedPackages, 'node_modules/pg': { version: '7.0.0' } },
      false,
    ],
    ['lack a package', { 'node_modules/@florin/cli': { link: true } }, false],
  ])('when they %s: not', (_name, present, fresh) => {
    expect(isFresh(makeCheckout(present))).toBe(fresh);
  });

  it('again when the lock file changes', () => {
    const root = makeCheckout(installedPackages);
    expect(isFresh(root)).toBe(true);
    const packages = { ...lockedPackages, 'node_modules/new': { version: '1.0.0' } };
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
    expect(isFresh(root)).toBe(false);
  });
});

/** Path of the lock of an unused checkout. */
async function freeLock(): Promise<{ root: string; lock: string }> {
  const root = mkdtempSync(join(tmpdir(), 'florin-install-'));
  const lock = await takeLock(root);
  rmSync(lock);
  onTestFinished(() => {
    for (const path of [root, lock]) rmSync(path, { recursive: true, force: true });
  });
  return { root, lock };
}

const startSleeper = () => spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)']);

describe('the lock of an installation', () => {
  it('is taken over from a crashed process, by one of two that wait', async () => {
    const { root, lock } = await freeLock();
    const holder = startSleeper();
    writeFileSync(lock, String(holder.pid));
    let takenCount = 0;
    const lockAttempts = [1, 2].map(async () => {
      await takeLock(root);
      takenCount += 1;
    });
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    await Promise.race(lockAttempts);
    expect(readFileSync(lock, 'utf8')).toBe(String(process.pid));
    expect(takenCount).toBe(1);
    rmSync(lock);
    await Promise.all(lockAttempts);
  });

  it('is taken over from a process that holds it for longer than its work can take', async () => {
    const { lock } = await freeLock();
    const holder = startSleeper();
    onTestFinished(() => void holder.kill('SIGKILL'));
    writeFileSync(lock, String(holder.pid));
    await takeFileLock(lock, { held_max_ms: -1 });
    expect(readFileSync(lock, 'utf8')).toBe(String(process.pid));
  });

  it.each(['', 'nobody', '-1', '0'])('is taken over if it has no holder: "%s"', async (text) => {
    const { root, lock } = await freeLock();
    writeFileSync(lock, text);
    await takeLock(root);
    expect(readFileSync(lock, 'utf8')).toBe(String(process.pid));
  });
});

it.each([
  ['v20.19.0', false],
  ['v22.17.1', false],
  ['v22.18.0', true],
  ['v24.0.0', true],
  ['', false],
])('Node %s is recent enough: %s', (version, isEnough) => {
  expect(isNewEnough(version)).toBe(isEnough);
});
