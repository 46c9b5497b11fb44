import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { FormFactor } from '@florin/contract/protocol/frame.ts';
import type { FastifyInstance } from 'fastify';
import { createFixedFile, type FixedFile, sendFixedFile } from '../../http/fixed-file.ts';
import type { FormLocale, FormLocales } from '../../http/pages/form-locale.ts';
import type { FormAssets, FormScript } from './pages/form-page.ts';

/**
 * Variant of the form's script. The form loads the wallets' code only if the page requests wallets.
 */
export type FormVariant = FormFactor | `${FormFactor}-wallets`;

export interface Assets {
  /** Files below `/v1/`, by file name. */
  readonly files: ReadonlyMap<string, FixedFile>;
  readonly forms: Readonly<Record<FormVariant, FormAssets>>;
  /** Script of a frame that shows no form. */
  readonly closed_form: FormScript;
  readonly locales: FormLocales;
}

/** A URL that contains the hash of its file. */
interface Pin {
  readonly url: string;
  /** `sha384-…`, for Subresource Integrity. */
  readonly integrity: string;
}

const PACKAGES = new URL('../../../../', import.meta.url);
const SCRIPT = 'text/javascript; charset=utf-8';

/** Seconds for which browsers may cache URLs without a hash. */
const UNHASHED_CACHE_SECONDS = 300;
const UNHASHED_CACHE = `public, max-age=${UNHASHED_CACHE_SECONDS}`;
const HASHED_CACHE = 'public, max-age=31536000, immutable';
const HASH_LETTERS = 16;

const SDK_SCRIPTS = ['florin.js', 'florin.mjs'] as const;

/**
 * Reads the built browser bundles. Throws an `Error` of one plain sentence if they are not built.
 */
export function loadAssets(): Assets {
  const files = new Map<string, FixedFile>();
  const publish = (name: string, text: string): Pin => {
    const pin = pinOf(name, text);
    files.set(name, createPublicFile(text, SCRIPT, UNHASHED_CACHE));
    files.set(pin.url.replace('/v1/', ''), createPublicFile(text, SCRIPT, HASHED_CACHE));
    return pin;
  };
  const namedPins = SDK_SCRIPTS.map((name) => [
    name,
    publish(name, read(`browser-sdk/dist/${name}`)),
  ]);
  const manifest = JSON.stringify(Object.fromEntries(namedPins), null, 2);
  files.set('sri.json', createPublicFile(manifest, 'application/json', UNHASHED_CACHE));
  const style = read('hosted-fields/dist/form.css');
  // The form's document names the script of the same build. A cached script of an older build would
  // not fit.
  const scriptOf = (folder: string, name: string): FormScript => {
    const { url, integrity } = publish(name, read(`${folder}/${name}`));
    return { script_url: url, script_integrity: integrity };
  };
  const formOf = (name: string): FormAssets => ({
    ...scriptOf('hosted-fields/dist', name),
    style,
  });
  return {
    files,
    forms: {
      inputs: formOf('form.js'),
      embedded: formOf('form-embedded.js'),
      'inputs-wallets': formOf('form-wallets.js'),
      'embedded-wallets': formOf('form-embedded-wallets.js'),
    },
    closed_form: scriptOf('server/src/features/checkout/pages/assets', 'form-closed.js'),
    locales: loadLocales('hosted-fields/dist/locales/'),
  };
}

function pinOf(name: string, text: string): Pin {
  const hashedName = name.replace('.', `-${hashOf('sha256', text, 'hex').slice(0, HASH_LETTERS)}.`);
  return { url: `/v1/${hashedName}`, integrity: `sha384-${hashOf('sha384', text, 'base64')}` };
}

/** URL with a hash, and integrity, of the SDK's classic script. */
export const sdkPin = (): Pin => pinOf('florin.js', read('browser-sdk/dist/florin.js'));

const hashOf = (algorithm: string, text: string, encoding: 'hex' | 'base64'): string =>
  createHash(algorithm).update(text).digest(encoding);

/** A served file that any page may load. */
const createPublicFile = (text: string, type: string, cache: string): FixedFile =>
  createFixedFile(text, {
    'content-type': type,
    'cache-control': cache,
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });

function loadLocales(folder: string): FormLocales {
  const names = readBuilt(folder, () => readdirSync(new URL(folder, PACKAGES)));
  const locales = names
    .filter((name) => name.endsWith('.json'))
    .map((name): [string, FormLocale] => {
      const tag = name.replace('.json', '');
      return [tag.toLowerCase(), { tag, texts: JSON.parse(read(folder + name)) }];
    });
  return new Map(locales);
}

const read = (path: string): string =>
  readBuilt(path, () => readFileSync(new URL(path, PACKAGES), 'utf8'));

function readBuilt<Result>(path: string, readBundle: () => Result): Result {
  try {
    return readBundle();
  } catch (cause) {
    throw new Error(`The browser bundle ${path} is not built. Run npm run build.`, { cause });
  }
}

/**
 * Registers the bundles: `/v1/florin.js` (classic), `/v1/florin.mjs` (ESM) and the form's own
 * scripts.
 * Each has a second URL with its hash, cacheable for ever. `/v1/sri.json` lists the second URLs
 * with their integrity.
 */
export function registerAssets(fastify: FastifyInstance, { files }: Assets): void {
  fastify.get<{ Params: { file: string } }>('/v1/:file', async (request, reply) => {
    const file = files.get(request.params.file);
    return file ? sendFixedFile(request, reply, file) : reply.callNotFound();
  });
}
