import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';

const EXAMPLES = join(import.meta.dirname, '../../../../examples');
const DOCUMENT_PATH = join(EXAMPLES, '../docs/openapi.json');
const EXAMPLE = join(EXAMPLES, 'typed-client');
const TOOLS = join(EXAMPLE, 'node_modules');
/** The compiler of this repository takes a tenth of the time of the example's. */
const COMPILER = join(EXAMPLES, '../node_modules/typescript/bin/tsc');
/** Time to compile twenty thousand lines of types on a busy computer. */
const COMPILE_LIMIT_MS = 120_000;
const api = useApi();

/** Runs a program of the example. Rejects with its output if it fails. */
const runProgram = (
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

/** Types whose addresses or schemas the programs use. */
const USED_TYPES = [
  'customers',
  'consumer_addresses',
  'payment_methods',
  'payment_demands',
  'webhook_subscriptions',
];

type Json = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * The part of the document that the programs use: the generator takes most of its time for the rest. `npm run types`
 * in the example reads the whole.
 */
function buildUsedDocument(): object {
  const { paths, components, ...otherMembers } = JSON.parse(readFileSync(DOCUMENT_PATH, 'utf8'));
  const isUsed = (path: string) => USED_TYPES.includes(path.split('/')[2] ?? '');
  const usedPaths = Object.fromEntries(Object.entries(paths).filter(([path]) => isUsed(path)));
  const names = new Set<string>();
  const collectReferences = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/([^"]+)"/g)) {
      if (names.has(name)) continue;
      names.add(name);
      const [section = '', member = ''] = name.split('/');
      collectReferences(components[section][member]);
    }
  };
  collectReferences(usedPaths);
  const sections = Object.entries<Json>(components).map(([section, members]) => [
    section,
    section === 'securitySchemes'
      ? members
      : Object.fromEntries(
          Object.entries(members).filter(([name]) => names.has(`${section}/${name}`)),
        ),
  ]);
  return { ...otherMembers, paths: usedPaths, components: Object.fromEntries(sections) };
}

// The generator needs a compiler with a JavaScript API, which this repository's compiler lacks.
beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'florin-types-'));
  try {
    const documentPath = join(directory, 'openapi.json');
    writeFileSync(documentPath, JSON.stringify(buildUsedDocument()));
    const output = ['--output', 'dist/florin.d.ts'];
    await runProgram(join(TOOLS, 'openapi-typescript/bin/cli.js'), [documentPath, ...output]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

it(
  'a program with types of the document compiles, and undocumented use does not',
  async () => {
    const { stdout } = await runProgram(COMPILER, ['-p', '.']);
    expect(stdout).toBe('');
  },
  COMPILE_LIMIT_MS,
);

it('creates records, follows all pages, and finds its payment', async () => {
  const { baseUrl, credentials } = api.stack;
  const { stdout } = await runProgram('src/main.ts', [], {
    BASE: baseUrl,
    KEY: credentials.sandbox.secret_key,
  });
  const { body } = await api.client.get('/v2/customers?sort=created_at');
  expect(body.data.length).toBeGreaterThanOrEqual(3);
  const paymentList = await api.client.get(
    '/v2/payment_demands?filter[purchase_reference]=order-1',
  );
  expect(paymentList.body.data).toHaveLength(1);
  expect(stdout.trimEnd().split('\n')).toEqual([
    ...body.data.map(({ id, attributes }: ResourceObject) => [id, attributes.email].join(' ')),
    `${paymentList.body.data[0].id} 2500 USD`,
  ]);
});

it('published clients create, fetch, change and save whole records', async () => {
  const env = { BASE: api.stack.baseUrl, KEY: api.stack.credentials.sandbox.secret_key };
  const { stdout } = await runProgram('src/main.ts', [], env, join(EXAMPLES, 'jsonapi-clients'));
  const savedRecords = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '));
  expect(savedRecords.map(([name]) => name)).toEqual([
    'kitsu',
    'datx',
    'coloquent',
    'react-admin',
    'jsona',
  ]);
  for (const [name = '', id = ''] of savedRecords) {
    const { attributes } = await api.client.fetch('customers', id);
    expect([attributes.name, attributes.email]).toEqual([name, `${name}@example.com`]);
  }
});
