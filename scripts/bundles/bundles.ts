import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';
import type { BuiltFile } from './built.ts';
import { buildDashboard, isDashboardBuilt } from './dashboard-bundle.ts';
import { buildTypes, TYPES_ENTRY } from './sdk-types.ts';
import { sourceHash } from './source-hash.ts';
import { buildWebhookTypes, WEBHOOK_TYPES_ENTRY } from './webhook-types.ts';
import { writeWhole } from './whole-file.ts';

interface Bundle {
  readonly entry: string;
  readonly output: string;
  readonly format: 'iife' | 'esm';
  /**
   * For programs outside of browsers: these are not minified, and a program for Node may import Node's
   * modules.
   */
  readonly platform?: 'node' | 'neutral';
}

/** Programs for browsers, and for other servers that cannot run the sources. */
const BUNDLES: readonly Bundle[] = [
  { entry: 'browser-sdk/src/classic.ts', output: 'browser-sdk/dist/florin.js', format: 'iife' },
  { entry: 'browser-sdk/src/main.ts', output: 'browser-sdk/dist/florin.mjs', format: 'esm' },
  { entry: 'hosted-fields/src/main.ts', output: 'hosted-fields/dist/form.js', format: 'iife' },
  {
    entry: 'hosted-fields/src/main-embedded.ts',
    output: 'hosted-fields/dist/form-embedded.js',
    format: 'iife',
  },
  {
    entry: 'hosted-fields/src/main-wallets.ts',
    output: 'hosted-fields/dist/form-wallets.js',
    format: 'iife',
  },
  {
    entry: 'hosted-fields/src/main-embedded-wallets.ts',
    output: 'hosted-fields/dist/form-embedded-wallets.js',
    format: 'iife',
  },
  { entry: 'hosted-fields/src/form.css', output: 'hosted-fields/dist/form.css', format: 'iife' },
  {
    entry: 'webhooks/src/main.ts',
    output: 'webhooks/dist/webhooks.node.mjs',
    format: 'esm',
    platform: 'node',
  },
  {
    entry: 'webhooks/src/main.ts',
    output: 'webhooks/dist/webhooks.mjs',
    format: 'esm',
    platform: 'neutral',
  },
];
const LOCALES = 'hosted-fields/src/locales/*.json';
const LOCALES_OUTPUT = 'hosted-fields/dist/locales';
const SOURCES = [
  'packages/{browser-sdk,dashboard,hosted-fields,webhooks,contract}/{src/**/*,index.html,package.json}',
  'package-lock.json',
  'scripts/bundles/*.ts',
];
const OPTIONS: BuildOptions = {
  bundle: true,
  minify: true,
  charset: 'utf8',
  target: 'es2022',
  write: false,
};

/** Whether the bundles exist and match the current sources. */
export function areBundlesCurrent(root: string): boolean {
  const stamp = stampPath(root);
  const outputs = [
    ...BUNDLES.map(({ output }) => output),
    `${LOCALES_OUTPUT}/en.json`,
    TYPES_ENTRY,
    WEBHOOK_TYPES_ENTRY,
  ];
  if (!outputs.every((output) => existsSync(join(root, 'packages', output)))) return false;
  if (!isDashboardBuilt(root)) return false;
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceHash(root, SOURCES);
}

/** Builds every bundle. Throws the error of esbuild or Vite, or an error that names a missing entry. */
export async function buildBundles(root: string): Promise<BuiltFile[]> {
  const hash = sourceHash(root, SOURCES);
  const builtBundles = await Promise.all(BUNDLES.map((bundle) => buildBundle(root, bundle)));
  const locales = buildLocales(root);
  const dashboard = await buildDashboard(root);
  buildTypes(root);
  buildWebhookTypes(root);
  writeWhole(stampPath(root), hash);
  return [...builtBundles, ...locales, ...dashboard];
}

async function buildBundle(root: string, bundle: Bundle): Promise<BuiltFile> {
  const { entry, output, format, platform } = bundle;
  const source = join(root, 'packages', entry);
  if (!existsSync(source)) throw new Error(`packages/${entry} is missing from this checkout.`);
  const platformOptions = platform && { platform, minify: false };
  const result = await build({ ...OPTIONS, ...platformOptions, entryPoints: [source], format });
  return writeBundle(root, output, result.outputFiles?.[0]?.contents ?? new Uint8Array());
}

/** Writes the form's texts, one file per language. The server prints the matching file into the form. */
function buildLocales(root: string): BuiltFile[] {
  const files = globSync(LOCALES, { cwd: join(root, 'packages') }).sort();
  return files.map((file) => {
    const texts = JSON.parse(readFileSync(join(root, 'packages', file), 'utf8'));
    const output = `${LOCALES_OUTPUT}/${basename(file)}`;
    return writeBundle(root, output, Buffer.from(JSON.stringify(texts)));
  });
}

function writeBundle(root: string, output: string, contents: Uint8Array): BuiltFile {
  writeWhole(join(root, 'packages', output), contents);
  return { output, bytes: contents.length, gzipped: gzipSync(contents).length };
}

const stampPath = (root: string): string => join(root, 'node_modules', '.florin-bundles');
