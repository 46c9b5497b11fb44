import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { stateTableOf } from '@florin/contract/machines/all.ts';
import type { Resource } from '@florin/contract/resources/define-resource.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeKey } from '../../src/features/merchants/api-key.ts';
import { useApi } from '../support/api.ts';
import { rawRequest } from '../support/raw-request.ts';

const api = useApi();

/** Sends no key and no User-Agent. */
const fetchPage = (path: string, headers: Record<string, string> = {}) =>
  rawRequest(api.stack.baseUrl, { path, headers });

describe('the OpenAPI document', () => {
  it.each(['/v2/openapi.json', '/api/v2/openapi.json', '/openapi.json', '/api/openapi'])(
    'is public at %s',
    async (path) => {
      const { status, headers, text } = await fetchPage(path);
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
      const { openapi, info, servers } = JSON.parse(text);
      expect(openapi).toMatch(/^3\.1\./);
      expect(info.version).toBe('1.0');
      expect(servers[0].url).toBe(api.stack.baseUrl);
    },
  );

  it('is at the address that the jsonapi member of documents names', async () => {
    const { body } = await api.client.get('/v2/customers');
    expect(body.links.describedby).toBe(`${api.stack.baseUrl}/v2/openapi.json`);
  });

  it('is not sent again to a client that has it', async () => {
    const { headers } = await fetchPage('/v2/openapi.json');
    const answer = await fetchPage('/v2/openapi.json', {
      'if-none-match': headers.get('etag') ?? '',
    });
    expect([answer.status, answer.text]).toEqual([304, '']);
  });
});

describe('the first payment of the README', () => {
  const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');
  const [, steps = ''] =
    /## First payment[\s\S]*?```sh\nexport .*\n([\s\S]*?)```/.exec(readme) ?? [];
  const runSteps = (KEY: string) =>
    promisify(execFile)('sh', ['-c', steps], {
      env: { ...process.env, BASE: api.stack.baseUrl, KEY },
    });

  it('succeeds with the key of the sandbox', async () => {
    const { stdout, stderr } = await runSteps(api.stack.credentials.sandbox.secret_key);
    expect([stdout, stderr]).toEqual(['"status":"succeeded"\n', '']);
  });

  it('explains a wrong key, and says what to do', async () => {
    const { stdout, stderr } = await runSteps(makeKey('sandbox', 'secret'));
    expect(stdout).toContain('The key is not known. Check that it was copied whole');
    expect(stderr).toContain('The key is not known. Check that it was copied whole');
  });
});

describe('a large file', () => {
  const paths = ['/v2/openapi.json', '/docs'];
  const fetchEncoded = (path: string, encoding: string) =>
    fetchPage(path, { 'accept-encoding': encoding }).then(({ headers }) =>
      headers.get('content-encoding'),
    );

  it.each(paths)('%s is compressed for clients that accept that', async (path) => {
    expect(await fetchEncoded(path, 'gzip, deflate, br')).toBe('br');
    expect(await fetchEncoded(path, 'gzip;q=0.5, br;q=0')).toBe('gzip');
    expect(await fetchEncoded(path, 'identity')).toBeNull();
    expect((await fetchPage(path)).headers.get('vary')).toContain('Accept-Encoding');
  });

  it.each(paths)('%s has the same content in all encodings, with different tags', async (path) => {
    const plainAnswer = await fetchPage(path);
    // fetch requests compressed responses and decompresses them.
    const compressedAnswer = await fetch(api.stack.baseUrl + path);
    expect(compressedAnswer.headers.get('content-encoding')).not.toBeNull();
    expect(await compressedAnswer.text()).toBe(plainAnswer.text);
    expect(compressedAnswer.headers.get('etag')).not.toBe(plainAnswer.headers.get('etag'));
  });
});

describe('the reference', () => {
  /** Half a megabyte, so all tests read one copy. */
  let docsPage: Awaited<ReturnType<typeof fetchPage>>;
  beforeAll(async () => {
    docsPage = await fetchPage('/docs');
  });

  it('describes every type, and is linked from the front page', async () => {
    const { status, text } = docsPage;
    expect(status).toBe(200);
    for (const type of Object.keys(resources)) expect(text).toContain(`id="${type}"`);
    expect((await fetchPage('/')).text).toContain('href="/docs"');
  });

  it('starts with payments, in its contents and its text', () => {
    const { text } = docsPage;
    const findTypes = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, type]) => type);
    const sections = findTypes(/<section class="type" id="([^"]+)"/g);
    const contents = findTypes(/<li><a href="#([a-z_]+)">/g).filter((id) => id && id in resources);
    expect(sections[0]).toBe('payment_demands');
    expect(contents).toEqual(sections);
    expect(sections.toSorted()).toEqual(Object.keys(resources).toSorted());
  });

  it.each([
    'event-codes.transaction.payment_demands.succeeded',
    'payment_demands.line_items[].quantity',
    'payment_demands.filter.created_at',
    'confirmPaymentDemand',
    'decline-codes.insufficient_funds',
    'error.rate_limited',
  ])('finds %s', (id) => {
    expect(docsPage.text).toContain(` id="${id}" data-find`);
  });

  it('shows states and transitions of each type, and its actions', () => {
    const { text } = docsPage;
    const states = Object.values<Resource>(resources).flatMap(({ type, table = type }) =>
      Object.keys(stateTableOf(table)?.machine.states ?? {}).map(
        (state) => `${type}.state.${state}`,
      ),
    );
    expect(states).toContain('payment_attempts.state.reversing');
    expect(states.filter((id) => !text.includes(` id="${id}" data-find`))).toEqual([]);
    const [row = ''] = /<tr id="payment_demands\.state\.authorised".*/.exec(text) ?? [];
    expect(row.replaceAll(/<[^>]+>/g, ' ').split(/\s+/)).toEqual(
      ' authorised capture → processing void → processing capture void '.split(' '),
    );
  });

  it('has one anchor for each name', () => {
    const ids = [...docsPage.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('loads nothing from other hosts, and runs no inline script', async () => {
    const { headers, text } = docsPage;
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(text).not.toMatch(/<style|<script>|\sstyle=|\son[a-z]+=/);
    const matches = [...text.matchAll(/<(?:script|link)[^>]*(?:src|href)="([^"]+)"/g)];
    const paths = matches.map(([, path]) => path as string);
    expect(paths).toEqual(['/docs/docs.css', '/docs/docs.js']);
    for (const path of paths) expect((await fetchPage(path)).status).toBe(200);
  });
});
