import { expect, it } from 'vitest';
import { type Resolve, resolveBySystem } from './resolve.ts';

/** Resolver whose lookups end when the test ends them. */
function createSlowResolver() {
  const openLookups = new Map<string, () => void>();
  const resolve: Resolve = (name, _options, callback) => {
    openLookups.set(name, () => {
      openLookups.delete(name);
      callback(null, [{ address: '127.0.0.1', family: 4 }]);
    });
  };
  return { openLookups, resolve: resolveBySystem(resolve) };
}

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("names are looked up one at a time, and this machine's own without a wait", async () => {
  const { openLookups, resolve } = createSlowResolver();
  const endedNames: string[] = [];
  const names = ['one.example', 'two.example', 'localhost', 'shop.localhost'];
  for (const name of names) resolve(name, { all: true }, () => endedNames.push(name));
  await nextTick();
  expect([...openLookups.keys()].sort()).toEqual(['localhost', 'one.example', 'shop.localhost']);
  openLookups.get('one.example')?.();
  await nextTick();
  expect([...openLookups.keys()].sort()).toEqual(['localhost', 'shop.localhost', 'two.example']);
  for (const end of openLookups.values()) end();
  expect(endedNames.sort()).toEqual(names.toSorted());
});
