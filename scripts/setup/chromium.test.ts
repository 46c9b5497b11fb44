import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

it.each([
  ['bench/main.ts', '--only', 'dashboard: sign-in'],
  ['scripts/shots.ts', '--only', 'overview'],
])('%s looks for its browser before it starts anything', (script, ...args) => {
  const env = { ...process.env, CHROMIUM_PATH: '/nowhere/chromium' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
  expect(stderr).toContain('CHROMIUM_PATH names /nowhere/chromium, and nothing is there');
  expect([status, stdout]).toEqual([1, '']);
});
