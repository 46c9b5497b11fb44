import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { secretFileOf, secretVariables } from '@florin/contract/secret-variables.ts';
import { variables } from '@florin/contract/variables.ts';
import { describe, expect, it } from 'vitest';
import { directives } from '../src/site/directives.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const REFERENCE = 'packages/contract/src/variables.ts';
/** Programs that an operator starts. */
const sources = globSync('packages/{cli,contract,server,simulator,vault}/src/**/*.ts', {
  cwd: ROOT,
})
  .filter((path) => path !== REFERENCE && !path.endsWith('.test.ts'))
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('\n');

/** A variable as code reads it: `env.NAME`, `{ NAME: value }` of a parameter, or its quoted name. */
const isRead = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(sources);

describe('the configuration reference', () => {
  it('has every variable that a program names', () => {
    const uses = sources.matchAll(/(?:env\.|['"])((?:FLORIN|VAULT|SIMULATOR)_[A-Z0-9_]+)\b/g);
    const named = new Set([...uses].map(([, name = '']) => name));
    const listed = [...Object.keys(variables), ...secretVariables.map(secretFileOf)];
    expect([...named].filter((name) => !listed.includes(name))).toEqual([]);
    expect(named.size).toBeGreaterThan(30);
  });

  it('has no variable that no program reads', () => {
    expect(Object.keys(variables).filter((name) => !isRead(name))).toEqual([]);
  });

  it('says which variables can be files', () => {
    const table = directives.variables?.('server') ?? '';
    expect(table).toContain('| `DATABASE_URL`, or `DATABASE_URL_FILE` |');
    expect(table).toContain('| `FLORIN_PAY_URL` |');
  });
});
