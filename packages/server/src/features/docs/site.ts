import { readFileSync } from 'node:fs';
import { errorTable } from '@florin/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import { createFixedFile, type FixedFile, sendFixedFile } from '../../http/fixed-file.ts';
import { sharedStyle } from '../../http/pages/shared-style.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import type { Models } from '../../jsonapi/model.ts';
import { chaptersOf } from '../../jsonapi/openapi/chapters.ts';
import { describeInterface } from '../../jsonapi/openapi/document.ts';
import { renderDocsPage } from './docs-page.ts';

export interface DocsOptions {
  readonly models: Models;
  /** Origin of the interface, without a trailing slash. */
  readonly base_url: string;
  readonly limits: RateLimits;
}

/**
 * Registers the public documentation: `/docs` for people, `/v2/openapi.json` with its accepted
 * variants, and the older `/api/openapi`.
 */
export function registerDocs(fastify: FastifyInstance, options: DocsOptions): void {
  const openApiDocument = memoise(() => describeInterface(options.models, options.base_url));
  const json = memoise(() =>
    createFixedFile(JSON.stringify(openApiDocument()), { 'content-type': 'application/json' }),
  );
  const page = memoise(() => {
    const chapters = chaptersOf(options.models, options.base_url);
    const { html, headers } = renderDocsPage(openApiDocument(), chapters, errorTable);
    return createFixedFile(html, headers);
  });
  const style = createFixedFile(
    [sharedStyle('shop.css'), sharedStyle('home.css'), assetPath('docs.css')].join('\n'),
    {
      'content-type': 'text/css; charset=utf-8',
    },
  );
  const script = createFixedFile(assetPath('docs.js'), {
    'content-type': 'text/javascript; charset=utf-8',
  });
  // The documents are large: clients with a cached copy get 304, and frequent requests are rate
  // limited.
  const serve = (path: string, file: () => FixedFile): void => {
    fastify.get(path, (request, reply) => {
      options.limits.countReader(reply, request.ip);
      return sendFixedFile(request, reply, file());
    });
  };
  for (const path of ['/v2/openapi.json', '/api/v2/openapi.json', '/openapi.json'])
    serve(path, json);
  serve('/api/openapi', json);
  serve('/docs', page);
  fastify.get('/docs/docs.css', (request, reply) => sendFixedFile(request, reply, style));
  fastify.get('/docs/docs.js', (request, reply) => sendFixedFile(request, reply, script));
}

const assetPath = (name: string): string =>
  readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');

/** Builds a document at the first request, so that the start does not wait for it. */
function memoise<T>(build: () => T): () => T {
  let cache: { value: T } | undefined;
  return () => {
    cache ??= { value: build() };
    return cache.value;
  };
}
