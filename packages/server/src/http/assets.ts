import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { FormAssets } from '../hosted/form-page.ts';

/** One built file of a browser package. */
export interface Asset {
  readonly body: Buffer;
  /** `sha384-…`, for Subresource Integrity. */
  readonly integrity: string;
  readonly type: string;
}

export interface Assets {
  /** What `/v1/` serves, by file name. */
  readonly files: ReadonlyMap<string, Asset>;
  readonly form: FormAssets;
}

const PACKAGES = new URL('../../../', import.meta.url);
const SCRIPT = 'text/javascript; charset=utf-8';

/** Seconds that the stable addresses may be kept by browsers. */
const FRESH_SECONDS = 300;

/** Reads the built browser bundles. Throws an `Error` of one plain sentence where they are not built. */
export function loadAssets(): Assets {
  const files = new Map([
    ['florin.js', load('browser-sdk/dist/florin.js')],
    ['florin.mjs', load('browser-sdk/dist/florin.mjs')],
    ['form.js', load('hosted-fields/dist/form.js')],
  ]);
  const form = files.get('form.js') as Asset;
  const style = read('hosted-fields/dist/form.css').toString('utf8');
  return { files, form: { script_url: '/v1/form.js', script_integrity: form.integrity, style } };
}

function read(path: string): Buffer {
  try {
    return readFileSync(new URL(path, PACKAGES));
  } catch (cause) {
    throw new Error(`The browser bundle ${path} is not built. Run npm run build.`, { cause });
  }
}

function load(path: string): Asset {
  const body = read(path);
  const integrity = `sha384-${createHash('sha384').update(body).digest('base64')}`;
  return { body, integrity, type: SCRIPT };
}

/** Serves the bundles to any page: `/v1/florin.js` (classic), `/v1/florin.mjs` (ESM) and the form's own script. */
export function registerAssets(fastify: FastifyInstance, { files }: Assets): void {
  fastify.get<{ Params: { file: string } }>('/v1/:file', async (request, reply) => {
    const asset = files.get(request.params.file);
    if (!asset) return reply.callNotFound();
    return reply
      .headers({
        'content-type': asset.type,
        'cache-control': `public, max-age=${FRESH_SECONDS}`,
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      })
      .send(asset.body);
  });
}
