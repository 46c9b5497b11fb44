import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from './pages.ts';

const REPOSITORY = join(import.meta.dirname, '..', '..', '..');
/** Links to files and folders of the repository, which the site does not have. */
const FILE_LINK = /\[([^\]]+)\]\((?!https?:|#|\/)[^)]+\)/g;

/** A Markdown file of the repository as a page of the site. */
export function repositoryPage(file: string, page: Omit<Page, 'markdown'>): Page {
  const markdown = readFileSync(join(REPOSITORY, file), 'utf8');
  return { ...page, markdown: markdown.replaceAll(FILE_LINK, '$1') };
}
