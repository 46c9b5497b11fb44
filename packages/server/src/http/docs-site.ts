import { readFileSync } from 'node:fs';
import { errorTable } from '@florin/contract/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { docsPage } from '../hosted/docs-page.ts';
import { entityTag, isHeld } from '../jsonapi/etag.ts';
import type { Models } from '../jsonapi/model.ts';
import { chaptersOf } from '../openapi/chapters.ts';
import { describeInterface } from '../openapi/document.ts';

export interface DocsOptions {
  readonly models: Models;
  /** Origin of the interface, without a trailing slash. */
  readonly base_url: string;
}

/** A file that stays the same as long as the process lives. */
interface Fixed {
  readonly body: Buffer;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * What describes the interface, for anyone and without a key: the OpenAPI document at `/v2/openapi.json`
 * and, as older documents link to it, at `/api/openapi`; and `/docs`, the same for people.
 */
export function registerDocs(fastify: FastifyInstance, options: DocsOptions): void {
  const described = once(() => describeInterface(options.models, options.base_url));
  const json = once(() =>
    fixed(JSON.stringify(described()), { 'content-type': 'application/json' }),
  );
  const page = once(() => {
    const { html, headers } = docsPage(described(), chaptersOf(options.base_url), errorTable);
    return fixed(html, headers);
  });
  const style = fixed(['shop.css', 'home.css', 'docs.css'].map(asset).join('\n'), {
    'content-type': 'text/css; charset=utf-8',
  });
  const script = fixed(asset('docs.js'), { 'content-type': 'text/javascript; charset=utf-8' });
  for (const path of ['/v2/openapi.json', '/api/openapi']) {
    fastify.get(path, (request, reply) => send(request, reply, json()));
  }
  fastify.get('/docs', (request, reply) => send(request, reply, page()));
  fastify.get('/docs/docs.css', (request, reply) => send(request, reply, style));
  fastify.get('/docs/docs.js', (request, reply) => send(request, reply, script));
}

const asset = (name: string): string =>
  readFileSync(new URL(`../hosted/assets/${name}`, import.meta.url), 'utf8');

/** The first request makes it, so that no start waits for what may never be asked. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function fixed(text: string, headers: Readonly<Record<string, string>>): Fixed {
  const body = Buffer.from(text);
  const etag = entityTag(body, undefined);
  return { body, etag, headers: { 'cache-control': 'no-cache', ...headers, etag } };
}

function send({ headers: asked }: FastifyRequest, reply: FastifyReply, file: Fixed): FastifyReply {
  return isHeld(asked['if-none-match'], file.etag)
    ? reply.code(304).headers({ etag: file.etag }).send()
    : reply.headers(file.headers).send(file.body);
}
