import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { resources } from '@florin/contract/resources/index.ts';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRateLimits } from '../../http/rate-limit.ts';
import { createSite } from '../../http/site.ts';
import { compileModels } from '../../jsonapi/model.ts';
import { createLogger } from '../../platform/logger.ts';
import { registerDocs } from './site.ts';

const INLINE = '<script>start()</script>';
const INLINE_HASH = "'sha256-DIm7WJS6ZKDYe5qFLPy+h4JFI9Bol5QmYC57mt3Fb00='";

let root: string;
let folder: string;
let fastify: FastifyInstance;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'florin-docs-'));
  folder = join(root, 'dist');
  fastify = createSite(createLogger('silent'), { base_url: 'http://localhost:4000' });
  registerDocs(fastify, {
    models: compileModels(resources),
    base_url: 'http://localhost:4000',
    limits: createRateLimits({ rate_limit: null, monotonic_ms: () => 0 }),
    folder,
  });
});
afterEach(async () => {
  await fastify.close();
  rmSync(root, { recursive: true });
});

function writeSite(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries({ ...files, '.stamp': 'built' })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

const fetchPath = (path: string) => fastify.inject({ path });

describe('the documentation', () => {
  it('is announced until it is built, and served without a restart', async () => {
    const early = await fetchPath('/docs');
    expect([early.statusCode, early.headers['retry-after']]).toEqual([503, '5']);
    expect(early.body).toContain('npm run docs');
    writeSite({ 'index.html': '<h1>Florin</h1>' });
    expect((await fetchPath('/docs')).body).toBe('<h1>Florin</h1>');
  });

  it.each([
    ['/docs/', 'index.html'],
    ['/docs/guides/refunds', 'guides/refunds.html'],
    ['/docs/errors/', 'errors/index.html'],
    ['/docs/guides/refunds.md', 'guides/refunds.md'],
    ['/docs/llms.txt', 'llms.txt'],
  ])('%s is %s', async (path, name) => {
    writeSite({ [name]: name });
    const { statusCode, body } = await fetchPath(path);
    expect([statusCode, body]).toEqual([200, name]);
  });

  it.each(['/docs/../outside.txt', '/docs/%2e%2e/outside.txt', '/docs/..%2foutside.txt'])(
    'serves no file outside its folder: %s',
    async (path) => {
      writeSite({ 'index.html': '', '../outside.txt': 'outside' });
      const { statusCode, body } = await fetchPath(path);
      expect(statusCode).toBe(404);
      expect(body).not.toContain('outside');
    },
  );

  it('answers unknown addresses with its own page', async () => {
    writeSite({ '404.html': '<h1>Not here</h1>' });
    const { statusCode, body } = await fetchPath('/docs/nothing');
    expect([statusCode, body]).toEqual([404, '<h1>Not here</h1>']);
  });

  it('answers unknown addresses with 404 even if the browser has the page', async () => {
    writeSite({ '404.html': '<h1>Not here</h1>' });
    const { etag } = (await fetchPath('/docs/nothing')).headers;
    const headers = { 'if-none-match': String(etag) };
    const request = async (path: string) => (await fastify.inject({ path, headers })).statusCode;
    expect([await request('/docs/nothing'), await request('/docs/404')]).toEqual([404, 304]);
  });

  it('allows the inline scripts of a page by hash, and nothing from other hosts', async () => {
    writeSite({ 'index.html': `<head>${INLINE}<script src="/docs/assets/a.js"></script></head>` });
    const policy = String((await fetchPath('/docs')).headers['content-security-policy']);
    expect(policy).toContain(`script-src 'self' ${INLINE_HASH};`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*/);
  });

  it('lets browsers keep files with a hash in their names', async () => {
    writeSite({ 'assets/a.1f3b.js': '', 'index.html': '' });
    const cacheOf = async (path: string) => (await fetchPath(path)).headers['cache-control'];
    expect(await cacheOf('/docs/assets/a.1f3b.js')).toContain('immutable');
    expect(await cacheOf('/docs')).toBe('no-cache');
  });
});
