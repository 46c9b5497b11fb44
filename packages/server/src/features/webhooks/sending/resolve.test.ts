import { expect, it } from 'vitest';
import { type Resolve, resolveBySystem } from './resolve.ts';

/** Resolver whose lookups end when the test ends them. */
function slowMachine() {
  const underWay = new Map<string, () => void>();
  const resolve: Resolve = (name, _options, done) => {
    underWay.set(name, () => {
      underWay.delete(name);
      done(null, [{ address: '127.0.0.1', family: 4 }]);
    });
  };
  return { underWay, resolve: resolveBySystem(resolve) };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("names are looked up one at a time, and this machine's own without a wait", async () => {
  const { underWay, resolve } = slowMachine();
  const ended: string[] = [];
  const names = ['one.example', 'two.example', 'localhost', 'shop.localhost'];
  for (const name of names) resolve(name, { all: true }, () => ended.push(name));
  await turn();
  expect([...underWay.keys()].sort()).toEqual(['localhost', 'one.example', 'shop.localhost']);
  underWay.get('one.example')?.();
  await turn();
  expect([...underWay.keys()].sort()).toEqual(['localhost', 'shop.localhost', 'two.example']);
  for (const end of underWay.values()) end();
  expect(ended.sort()).toEqual(names.toSorted());
});
