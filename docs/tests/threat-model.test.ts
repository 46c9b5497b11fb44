import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/pages/operate/threat-model.md'), 'utf8');

it('the threat model names tests that exist', () => {
  const paths = [...page.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

it('the threat model names every test of the attacker’s suite', () => {
  const suite = globSync('packages/*/tests/**/attacker/*.test.ts', { cwd: ROOT });
  expect(suite.length).toBeGreaterThan(0);
  expect(suite.filter((path) => !page.includes(`\`${path}\``))).toEqual([]);
});
