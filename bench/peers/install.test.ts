import { expect, it } from 'vitest';
import { manifestOf } from './install.ts';
import { peers } from './peers.ts';

it('every package has an exact version', () => {
  const { dependencies } = manifestOf(peers) as { dependencies: Record<string, string> };
  const versions = Object.values(dependencies);
  expect(versions.length).toBeGreaterThan(5);
  for (const version of versions) expect(version).toMatch(/^\d+\.\d+\.\d+(-\w+)?$/);
});

it('peers that need the same package need the same version', () => {
  const versions = peers.flatMap(({ packages }) => Object.entries(packages));
  const distinct = new Set(versions.map(([name, version]) => `${name} ${version}`));
  expect(distinct.size).toBe(new Set(versions.map(([name]) => name)).size);
});
