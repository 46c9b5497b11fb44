import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';

const packages = new URL('../../packages/', import.meta.url);

async function bundle(entry: string): Promise<Buffer> {
  const { outputFiles } = await build({
    entryPoints: [new URL(entry, packages).pathname],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
  });
  return Buffer.from(outputFiles[0]!.contents);
}

/** The browser bundles as the product builds them, made from the sources of this moment. */
export async function buildBundles() {
  const [sdk, form, style] = await Promise.all([
    bundle('browser-sdk/src/classic.ts'),
    bundle('hosted-fields/src/main.ts'),
    readFile(new URL('hosted-fields/src/form.css', packages), 'utf8'),
  ]);
  const script_integrity = `sha384-${createHash('sha384').update(form).digest('base64')}`;
  return { sdk, form, assets: { script_url: '/v1/form.js', script_integrity, style } };
}
