import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Checkout, copyCheckout } from './checkout.ts';
import { followRecipe } from './recipe.ts';

/** The suites nearest to a new type: events, names, schema, and the type itself. */
const SUITES = [
  'packages/contract/src/events.test.ts',
  'packages/dashboard/src/i18n/definitions.test.ts',
  'packages/server/tests/resources/notes.test.ts',
  'packages/server/tests/schema/definitions.test.ts',
  'packages/server/tests/schema/reset-references.test.ts',
];

let checkout: Checkout;
let diffOutput: string;

beforeAll(async () => {
  checkout = copyCheckout();
  followRecipe(checkout.path);
  diffOutput = await checkout.run('scripts/db-diff.ts', 'notes');
  await checkout.run('scripts/db-record.ts');
}, 300_000);

afterAll(() => checkout?.[Symbol.dispose]());

describe('the recipe for a resource with events', () => {
  it('has its migration written', () => {
    expect(diffOutput).toContain('create table notes (');
    expect(diffOutput).toMatch(/Written to .*\/\d{4}-notes\.sql/);
  });

  it('requires a recipe for every event, by its types', async () => {
    const compiler = 'node_modules/typescript/bin/tsc';
    expect(await checkout.run(compiler, '--noEmit', '-p', 'packages/contract')).toBe('');
  });

  it('leads to passing suites', async () => {
    const options = ['run', '--maxWorkers=1', '--no-color'];
    const output = await checkout.run('node_modules/vitest/vitest.mjs', ...options, ...SUITES);
    expect(output).toMatch(new RegExp(`Test Files +${SUITES.length} passed`));
  }, 180_000);
});
