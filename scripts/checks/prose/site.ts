import { join } from 'node:path';
import { linksOf, navigationOf } from '../../../docs/src/site/navigation.ts';
import { readPages } from '../../../docs/src/site/pages.ts';
import type { Finding } from './finding.ts';

/** Pages of the documentation site that its navigation does not list. */
export function navigationFindings(root: string): Finding[] {
  const folder = 'docs/pages';
  try {
    const pages = readPages(join(root, folder));
    const listed = new Set(linksOf(navigationOf(pages)).map(({ link }) => link));
    return pages
      .filter(({ path }) => path !== 'index' && !listed.has(`/${path.replace(/\/index$/, '/')}`))
      .map(({ path }) => ({
        file: `${folder}/${path}.md`,
        line: 1,
        rule: 'navigation',
        advice: 'the navigation has no entry for the page: put it into a folder of groupTitles',
      }));
  } catch (error) {
    return [{ file: folder, line: 1, rule: 'navigation', advice: (error as Error).message }];
  }
}
