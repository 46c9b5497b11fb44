import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { FormAssets } from '@florin/server/features/checkout/pages/form-page.ts';
import type { FormLocale, FormLocales } from '@florin/server/http/pages/form-locale.ts';
import { build } from 'esbuild';

const packagesUrl = new URL('../../packages/', import.meta.url);

async function bundleEntry(entry: string): Promise<Buffer> {
  const { outputFiles } = await build({
    entryPoints: [new URL(entry, packagesUrl).pathname],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    charset: 'utf8',
    target: 'es2022',
  });
  return Buffer.from(outputFiles[0]!.contents);
}

const localesUrl = new URL('hosted-fields/src/locales/', packagesUrl);

/** All languages of the form, and a pseudo-language that reveals texts outside of the catalogue. */
export function readLocales(): FormLocales {
  const realLocales = readdirSync(localesUrl).map((name): FormLocale => {
    const texts = JSON.parse(readFileSync(new URL(name, localesUrl), 'utf8'));
    return { tag: name.replace('.json', ''), texts };
  });
  const english = realLocales.find(({ tag }) => tag === 'en')!;
  return new Map(
    [...realLocales, toPseudoLocale(english)].map((locale) => [locale.tag.toLowerCase(), locale]),
  );
}

/** Makes texts half as long again with marks at both ends, so that cut and untranslated texts are visible. */
function toPseudoLocale({ texts }: FormLocale): FormLocale {
  const markedTexts = Object.entries(texts).map(([name, text]) => [
    name,
    `⟦${text} ${'~'.repeat(text.length / 2)}⟧`,
  ]);
  return { tag: 'en-XA', texts: Object.fromEntries(markedTexts) };
}

/** Builds the browser bundles from the current sources, as the product does. */
export async function buildBundles() {
  const [sdk, form, embedded, wallets, style] = await Promise.all([
    bundleEntry('browser-sdk/src/classic.ts'),
    bundleEntry('hosted-fields/src/main.ts'),
    bundleEntry('hosted-fields/src/main-embedded.ts'),
    bundleEntry('hosted-fields/src/main-wallets.ts'),
    bundleEntry('hosted-fields/src/form.css'),
  ]);
  const closedScript = readFileSync(
    new URL('server/src/features/checkout/pages/assets/form-closed.js', packagesUrl),
  );
  const scripts = new Map([
    ['/v1/florin.js', sdk],
    ['/v1/form.js', form],
    ['/v1/form-embedded.js', embedded],
    ['/v1/form-wallets.js', wallets],
    ['/v1/form-closed.js', closedScript],
  ]);
  const assetsOf = (script_url: string, body: Buffer): FormAssets => ({
    script_url,
    script_integrity: integrityOf(body),
    style: style.toString(),
  });
  return {
    scripts,
    sdk_integrity: integrityOf(sdk),
    forms: {
      inputs: assetsOf('/v1/form.js', form),
      embedded: assetsOf('/v1/form-embedded.js', embedded),
      wallets: assetsOf('/v1/form-wallets.js', wallets),
      closed: assetsOf('/v1/form-closed.js', closedScript),
    },
  };
}

const integrityOf = (body: Buffer): string =>
  `sha384-${createHash('sha384').update(body).digest('base64')}`;
