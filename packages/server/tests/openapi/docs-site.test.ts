import { resources } from '@florin/contract/resources/index.ts';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { rawRequest } from '../support/raw-request.ts';

const api = useApi();

/** Without a key, and without a User-Agent. */
const ask = (path: string, headers: Record<string, string> = {}) =>
  rawRequest(api.stack.baseUrl, { path, headers });

describe('the OpenAPI document', () => {
  it.each(['/v2/openapi.json', '/api/openapi'])('is at %s for anyone', async (path) => {
    const { status, headers, text } = await ask(path);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    const { openapi, info, servers } = JSON.parse(text);
    expect(openapi).toMatch(/^3\.1\./);
    expect(info.version).toBe('1.0');
    expect(servers[0].url).toBe(api.stack.baseUrl);
  });

  it('is where the documents of the interface say that they are described', async () => {
    const { body } = await api.client.get('/v2/customers');
    expect(body.links.describedby).toBe(`${api.stack.baseUrl}/v2/openapi.json`);
  });

  it('is not sent again to who has it', async () => {
    const { headers } = await ask('/v2/openapi.json');
    const again = await ask('/v2/openapi.json', { 'if-none-match': headers.get('etag') ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});

describe('the reference', () => {
  it('describes every type, and leads from the front door', async () => {
    const { status, text } = await ask('/docs');
    expect(status).toBe(200);
    for (const type of Object.keys(resources)) expect(text).toContain(`id="${type}"`);
    expect((await ask('/')).text).toContain('href="/docs"');
  });

  it('loads nothing from elsewhere, and runs nothing that stands in the page', async () => {
    const { headers, text } = await ask('/docs');
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(text).not.toMatch(/<style|<script>|\sstyle=|\son[a-z]+=/);
    const loaded = [...text.matchAll(/<(?:script|link)[^>]*(?:src|href)="([^"]+)"/g)];
    const paths = loaded.map(([, path]) => path as string);
    expect(paths).toEqual(['/docs/docs.css', '/docs/docs.js']);
    for (const path of paths) expect((await ask(path)).status).toBe(200);
  });
});
