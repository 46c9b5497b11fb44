import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Assets } from '../features/checkout/assets.ts';
import { createFixedFile, type FixedFile, sendFixedFile } from '../http/fixed-file.ts';
import { renderDashboardPage } from './dashboard-page.ts';

const BUILD_FOLDER = new URL('../../../dashboard/dist/', import.meta.url);
const NONCE_BYTES = 16;

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

export interface DashboardSiteOptions {
  readonly pay_url: string;
  readonly assets: Assets;
}

/** The browser SDK on the dashboard's own origin, whose policy allows no scripts of others. */
const SDK_URL = '/dashboard/sdk/florin.mjs';

/**
 * Registers the web application: files at hashed addresses, and its page at every other address below
 * `/dashboard`, since the application does its own routing. Throws if it is not built.
 */
export function registerDashboard(
  fastify: FastifyInstance,
  { pay_url, assets }: DashboardSiteOptions,
): void {
  const pay_origin = new URL(pay_url).origin;
  const page = readBuilt('index.html');
  const files = new Map(
    readdirSync(new URL('assets/', BUILD_FOLDER)).map((name) => [name, createLazyFile(name)]),
  );
  fastify.get<{ Params: { file: string } }>('/dashboard/assets/:file', (request, reply) => {
    const file = files.get(request.params.file);
    return file ? sendFixedFile(request, reply, file()) : reply.callNotFound();
  });
  fastify.get(SDK_URL, (request, reply) => {
    const sdk = assets.files.get('florin.mjs');
    return sdk ? sendFixedFile(request, reply, sdk) : reply.callNotFound();
  });
  const pageUrls = ['/dashboard', '/dashboard/*'];
  for (const url of pageUrls) {
    fastify.get(url, (_request, reply) => {
      const { status, headers, html } = renderDashboardPage(page, {
        nonce: makeNonce(),
        pay_origin,
      });
      return reply.status(status).headers(headers).send(html);
    });
  }
  fastify.all('/dashboard/api/*', (_request, reply) => reply.callNotFound());
}

const makeNonce = (): string => randomBytes(NONCE_BYTES).toString('base64');

function readBuilt(name: string): string {
  try {
    return readFileSync(new URL(name, BUILD_FOLDER), 'utf8');
  } catch (cause) {
    throw new Error('The dashboard is not built. Run npm run build.', { cause });
  }
}

/** Compresses each file on first use, since a visit needs only a few. */
function createLazyFile(name: string): () => FixedFile {
  let file: FixedFile | undefined;
  return () => {
    file ??= createFixedFile(readBuilt(`assets/${name}`), {
      'content-type': TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    return file;
  };
}
