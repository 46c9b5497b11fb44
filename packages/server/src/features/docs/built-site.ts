import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { createFixedFile, type FixedFile } from '../../http/fixed-file.ts';
import { renderPolicy } from '../../http/pages/page.ts';

/** The documentation, as the build wrote it. A new build replaces the files while the server runs. */
export interface BuiltSite {
  /** Whether the site has been built. */
  isBuilt(): boolean;
  /** The file of an address below `/docs/`, such as `guides/refunds`. Undefined if there is none. */
  findFile(path: string): FixedFile | undefined;
}

/** The build writes this file last. */
const STAMP = '.stamp';
/** Files with a hash in their names. */
const HASHED_FOLDER = 'assets/';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
};

/** Opens the site in a folder, which may be built later. */
export function openBuiltSite(folder: string): BuiltSite {
  let builtAt: number | undefined;
  let names: ReadonlySet<string> = new Set();
  const files = new Map<string, FixedFile>();

  /** Drops the files of a previous build. */
  function refresh(): void {
    const stampedAt = statSync(join(folder, STAMP), { throwIfNoEntry: false })?.mtimeMs;
    if (stampedAt === builtAt) return;
    builtAt = stampedAt;
    names = new Set(stampedAt === undefined ? [] : namesIn(folder));
    files.clear();
  }

  return {
    isBuilt() {
      refresh();
      return builtAt !== undefined;
    },
    findFile(path) {
      refresh();
      const name = candidatesOf(path).find((candidate) => names.has(candidate));
      if (name === undefined) return undefined;
      const file = files.get(name) ?? readSiteFile(folder, name);
      files.set(name, file);
      return file;
    },
  };
}

/** Only names from this list are read, so that no address leads out of the folder. */
const namesIn = (folder: string): readonly string[] =>
  globSync('**/*.*', { cwd: folder }).filter((name) => extname(name) in contentTypes);

const candidatesOf = (path: string): readonly string[] =>
  path === '' ? ['index.html'] : [path, `${path}.html`, `${path.replace(/\/$/, '')}/index.html`];

function readSiteFile(folder: string, name: string): FixedFile {
  const content = readFileSync(join(folder, name));
  const type = contentTypes[extname(name)] ?? 'application/octet-stream';
  return createFixedFile(content, {
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    ...(name.startsWith(HASHED_FOLDER) && {
      'cache-control': 'public, max-age=31536000, immutable',
    }),
    ...(type.startsWith('text/html') && { 'content-security-policy': policyOf(String(content)) }),
  });
}

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** Hash of the style sheet with which the site's theme switch pauses transitions. */
const TRANSITION_STYLE = "'sha256-skqujXORqzxt1aE0NNXxujEanPTX6raoqSscTV/Ww/Y='";

/** Allows the inline scripts of a page by their hashes. Styles of code colours are attributes. */
function policyOf(html: string): string {
  const hashes = [...html.matchAll(INLINE_SCRIPT)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return renderPolicy({
    'default-src': "'none'",
    'script-src': ["'self'", ...new Set(hashes)].join(' '),
    'style-src': `'self' ${TRANSITION_STYLE}`,
    'style-src-attr': "'unsafe-inline'",
    'img-src': "'self' data:",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  });
}
