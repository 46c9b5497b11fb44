import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
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
    expect(stdout).toContain('The key is unknown. Check that it is complete');
    expect(stderr).toContain('The key is unknown. Check that it is complete');
  });
});

describe('a large file', () => {
  const path = '/v2/openapi.json';
  const fetchEncoded = (path: string, encoding: string) =>
    fetchPage(path, { 'accept-encoding': encoding }).then(({ headers }) =>
      headers.get('content-encoding'),
    );

  it('is compressed for clients that accept that', async () => {
    expect(await fetchEncoded(path, 'gzip, deflate, br')).toBe('br');
    expect(await fetchEncoded(path, 'gzip;q=0.5, br;q=0')).toBe('gzip');
    expect(await fetchEncoded(path, 'identity')).toBeNull();
    expect((await fetchPage(path)).headers.get('vary')).toContain('Accept-Encoding');
  });

  it('has the same content in all encodings, with different tags', async () => {
    const plainAnswer = await fetchPage(path);
    // fetch requests compressed responses and decompresses them.
    const compressedAnswer = await fetch(api.stack.baseUrl + path);
    expect(compressedAnswer.headers.get('content-encoding')).not.toBeNull();
    expect(await compressedAnswer.text()).toBe(plainAnswer.text);
    expect(compressedAnswer.headers.get('etag')).not.toBe(plainAnswer.headers.get('etag'));
  });
});
