import type { Page } from './pages.ts';

/** A group of the sidebar, with its pages in order. */
export interface NavigationGroup {
  readonly text: string;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

/** Titles of the groups, by folder, in the order of the sidebar. */
const groupTitles: Readonly<Record<string, string>> = {
  start: 'Start',
  guides: 'Guides',
  sandbox: 'Sandbox',
  operate: 'Operate',
  reference: 'Reference',
  api: 'API',
  errors: 'Errors',
  migrate: 'Migrate',
};

/** Groups pages by folder. Throws an error that names a page in an unknown folder. */
export function navigationOf(pages: readonly Page[]): readonly NavigationGroup[] {
  const pagesByFolder = Map.groupBy(pages.filter(isGrouped), folderOf);
  for (const folder of pagesByFolder.keys()) {
    if (!groupTitles[folder]) throw new Error(`No group of the navigation is named "${folder}".`);
  }
  return Object.entries(groupTitles)
    .filter(([folder]) => pagesByFolder.has(folder))
    .map(([folder, text]) => ({ text, items: itemsOf(pagesByFolder.get(folder) ?? []) }));
}

/** The home page is reached by the site's name. */
const isGrouped = ({ path }: Page): boolean => path !== 'index';
const folderOf = ({ path }: Page): string => path.split('/')[0] ?? '';
const itemsOf = (pages: readonly Page[]): NavigationGroup['items'] =>
  pages
    .toSorted((one, other) => one.order - other.order)
    .map(({ path, title }) => ({ text: title, link: `/${path.replace(/(^|\/)index$/, '$1')}` }));
