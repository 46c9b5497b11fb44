import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';

const EXAMPLES = join(import.meta.dirname, '../../../../examples');
const EXAMPLE = join(EXAMPLES, 'typed-client');
const TOOLS = join(EXAMPLE, 'node_modules');
/** The compiler of this repository takes a tenth of the time of the example's. */
const COMPILER = join(EXAMPLES, '../node_modules/typescript/bin/tsc');
/** Twenty thousand lines of types, on a busy machine. */
const COMPILE_LIMIT_MS = 120_000;
const api = useApi();

/** Runs a program of the example. Rejects with its output if it fails. */
const run = (
  program: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
  cwd = EXAMPLE,
) =>
  promisify(execFile)(process.execPath, [program, ...args], {
    cwd,
    env: { ...process.env, ...env },
  }).catch(({ stdout, stderr }) => {
    throw new Error(`${stdout}${stderr}`);
  });

// The generator needs a compiler with a JavaScript API, which this repository's compiler lacks.
beforeAll(() =>
  run(join(TOOLS, 'openapi-typescript/bin/cli.js'), [
    '../../docs/openapi.json',
    '--output',
    'dist/florin.d.ts',
  ]),
);

it(
  'a program with types of the document compiles, and undocumented use does not',
  async () => {
    const { stdout } = await run(COMPILER, ['-p', '.']);
    expect(stdout).toBe('');
  },
  COMPILE_LIMIT_MS,
);

it('creates records, follows all pages, and finds its payment', async () => {
  const { baseUrl, credentials } = api.stack;
  const { stdout } = await run('src/main.ts', [], {
    BASE: baseUrl,
    KEY: credentials.sandbox.secret_key,
  });
  const { body } = await api.client.get('/v2/customers?sort=created_at');
  expect(body.data.length).toBeGreaterThanOrEqual(3);
  const payments = await api.client.get('/v2/payment_demands?filter[purchase_reference]=order-1');
  expect(payments.body.data).toHaveLength(1);
  expect(stdout.trimEnd().split('\n')).toEqual([
    ...body.data.map(({ id, attributes }: ResourceObject) => [id, attributes.email].join(' ')),
    `${payments.body.data[0].id} 2500 USD`,
  ]);
});

it('published clients create, fetch, change and save whole records', async () => {
  const env = { BASE: api.stack.baseUrl, KEY: api.stack.credentials.sandbox.secret_key };
  const { stdout } = await run('src/main.ts', [], env, join(EXAMPLES, 'jsonapi-clients'));
  const saved = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '));
  expect(saved.map(([name]) => name)).toEqual([
    'kitsu',
    'datx',
    'coloquent',
    'react-admin',
    'jsona',
  ]);
  for (const [name = '', id = ''] of saved) {
    const { attributes } = await api.client.fetch('customers', id);
    expect([attributes.name, attributes.email]).toEqual([name, `${name}@example.com`]);
  }
});
