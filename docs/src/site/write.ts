import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { consoleOperations, referencePages } from '../reference/pages.ts';
import { directives, SHOTS } from './directives.ts';
import { linkErrorCodes } from './error-links.ts';
import { expandPage } from './expand.ts';
import { llmsText } from './llms.ts';
import { navigationOf, sidebarsOf } from './navigation.ts';
import { type Page, readPages } from './pages.ts';
import { repositoryPage } from './repository-page.ts';

export const ROOT = join(import.meta.dirname, '..', '..');
/** Work folder of the build. */
export const BUILD = join(ROOT, '.build');
/** The finished site, which Florin serves. */
export const DIST = join(ROOT, 'dist');
/** Sources of the pages that people write. */
export const PAGES = join(ROOT, 'pages');

/** Files of the repository that are pages too. */
const REPOSITORY_PAGES: readonly Page[] = [
  repositoryPage('ARCHITECTURE.md', {
    path: 'operate/architecture',
    title: 'Architecture',
    order: 900,
  }),
  repositoryPage('CHANGELOG.md', { path: 'reference/changelog', title: 'Changelog', order: 900 }),
];

/** Writes expanded pages and navigation for VitePress. Returns the expanded pages. */
export function writeSources(): readonly Page[] {
  rmSync(join(BUILD, 'pages'), { recursive: true, force: true });
  const pages = [...readPages(PAGES).map(expand), ...referencePages(), ...REPOSITORY_PAGES].map(
    (page) => ({ ...page, markdown: linkErrorCodes(page.markdown) }),
  );
  write(join(BUILD, 'sidebars.json'), JSON.stringify(sidebarsOf(navigationOf(pages))));
  for (const { path, markdown } of pages) write(join(BUILD, 'pages', `${path}.md`), markdown);
  write(join(BUILD, 'pages', 'public', 'operations.json'), JSON.stringify(consoleOperations()));
  copyShots(pages);
  return pages;
}

/** Copies the pictures that the pages show. */
function copyShots(pages: readonly Page[]): void {
  const folder = join(BUILD, 'pages', 'public', 'shots');
  mkdirSync(folder, { recursive: true });
  for (const { markdown } of pages) {
    for (const [, file = ''] of markdown.matchAll(/src="\/shots\/([^"]+)"/g))
      copyFileSync(join(SHOTS, file), join(folder, file));
  }
}

/** Writes each page as plain Markdown beside its HTML, and `llms.txt`, which lists them. */
export function writeTwins(pages: readonly Page[], folder: string): void {
  for (const { path, markdown } of pages) write(join(folder, `${path}.md`), twinOf(markdown));
  write(join(folder, 'llms.txt'), llmsText(pages));
}

/** Plain Markdown: without parts that only the HTML has, and with links to other twins. */
export const twinOf = (markdown: string): string =>
  markdown
    .replaceAll(/^<TryIt .*\/>\n\n?/gm, '')
    .replaceAll(/^::: (?:code-group\n\n|\w+ (.+)$)/gm, (_, title?: string) =>
      title ? `**${title}**\n` : '',
    )
    .replaceAll(/^:::$/gm, '')
    .replaceAll(SHOT, '![$2](/shots/$1.png)')
    .replaceAll(/ \{#[\w-]+\}$/gm, '')
    .replaceAll(PAGE_LINK, (_, path: string, anchor = '') => `](/docs${pathOf(path)}${anchor})`)
    .replaceAll(/\n{3,}/g, '\n\n');

/** A picture in both themes. */
const SHOT =
  /^<img class="shot-light".* src="\/shots\/([\w-]+)\.png" alt="([^"]*)">\n<img class="shot-dark".*>$/gm;
/** Links between pages. Files such as `/llms.txt` have an extension. */
const PAGE_LINK = /\]\((\/[^)#\s]*)(#[^)]*)?\)/g;
const pathOf = (path: string): string => {
  if (/\.\w+$/.test(path)) return path;
  return path.endsWith('/') ? `${path}index.md` : `${path}.md`;
};

function expand(page: Page): Page {
  try {
    return { ...page, markdown: expandPage(page.markdown, directives) };
  } catch (error) {
    throw new Error(`docs/pages/${page.path}.md: ${(error as Error).message}`, { cause: error });
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
