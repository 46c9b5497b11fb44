import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createFixedFile, sendFixedFile } from '../../http/fixed-file.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import type { Models } from '../../jsonapi/model.ts';
import { describeInterface } from '../../jsonapi/openapi/document.ts';
import { type BuiltSite, openBuiltSite } from './built-site.ts';

export interface DocsOptions {
  readonly models: Models;
  /** Origin of the interface, without a trailing slash. */
  readonly base_url: string;
  readonly limits: RateLimits;
  /** Folder of the built documentation. */
  readonly folder?: string;
}

/** `npm run docs` writes the site here. */
const SITE_FOLDER = fileURLToPath(new URL('../../../../../docs/dist', import.meta.url));
const RETRY_S = 5;

/**
 * Registers the public documentation: `/docs` for people, `/v2/openapi.json` with its accepted
 * variants, and the older `/api/openapi`.
 */
export function registerDocs(fastify: FastifyInstance, options: DocsOptions): void {
  registerOpenApi(fastify, options);
  const site = openBuiltSite(options.folder ?? SITE_FOLDER);
  fastify.get('/docs', (request, reply) => sendPage(site, '', request, reply));
  fastify.get<{ Params: { '*': string } }>('/docs/*', (request, reply) =>
    sendPage(site, request.params['*'], request, reply),
  );
}

/**
 * Registers the OpenAPI document, which is large: clients with a cached copy get 304, and frequent requests are rate
 * limited.
 */
function registerOpenApi(
  fastify: FastifyInstance,
  { models, base_url, limits }: DocsOptions,
): void {
  const document = memoise(() =>
    createFixedFile(JSON.stringify(describeInterface(models, base_url)), {
      'content-type': 'application/json',
    }),
  );
  const paths = ['/v2/openapi.json', '/api/v2/openapi.json', '/openapi.json', '/api/openapi'];
  for (const path of paths) {
    fastify.get(path, (request, reply) => {
      limits.countReader(reply, request.ip);
      return sendFixedFile(request, reply, document());
    });
  }
}

function sendPage(
  site: BuiltSite,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (!site.isBuilt()) return sendNotBuilt(reply);
  const file = site.findFile(path);
  if (file) return sendFixedFile(request, reply, file);
  const missingPage = site.findFile('404');
  if (missingPage) return sendFixedFile(request, reply.code(404), missingPage);
  reply.callNotFound();
  return reply;
}

/** A start builds the documentation in the background, which takes some seconds. */
const sendNotBuilt = (reply: FastifyReply): FastifyReply =>
  reply
    .code(503)
    .headers({
      'retry-after': String(RETRY_S),
      refresh: String(RETRY_S),
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
    })
    .send(NOT_BUILT);

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Documentation</title>
<h1>The documentation is not built yet</h1>
<p>npm start builds it in the background. This page reloads. To build it now: npm run docs.</p>
<p>The interface as OpenAPI 3.1: <a href="/v2/openapi.json">openapi.json</a>.</p>
`;

/** Builds a document at the first request, so that the start does not wait for it. */
function memoise<T>(build: () => T): () => T {
  let cache: { value: T } | undefined;
  return () => {
    cache ??= { value: build() };
    return cache.value;
  };
}
