import type { Page } from './pages.ts';

/** A link of the sidebar, or a group of links. */
export interface NavigationItem {
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items?: readonly NavigationItem[];
}

/** Titles of the groups, by folder, in the order of the sidebar. */
const groupTitles: Readonly<Record<string, string>> = {
  start: 'Start',
  guides: 'Guides',
  sandbox: 'Sandbox',
  operate: 'Operate',
  migrate: 'Migrate',
  reference: 'Reference',
  api: 'API',
  errors: 'Errors',
};

/** Group with so many pages that only its own pages show them. */
const ERRORS = 'errors';
const ERRORS_PATH = `/${ERRORS}/`;

/** Groups pages by folder. Throws an error that names an unknown folder. */
export function navigationOf(pages: readonly Page[]): readonly NavigationItem[] {
  const pagesByFolder = Map.groupBy(pages.filter(isGrouped), folderOf);
  for (const folder of pagesByFolder.keys()) {
    if (!groupTitles[folder]) throw new Error(`No group of the navigation is named "${folder}".`);
  }
  return Object.entries(groupTitles)
    .filter(([folder]) => pagesByFolder.has(folder))
    .map(([folder, text]) => ({
      text,
      collapsed: false,
      items: itemsOf(pagesByFolder.get(folder) ?? []),
    }));
}

/** The home page is reached by the site's name. */
const isGrouped = ({ path }: Page): boolean => path !== 'index';
const folderOf = ({ path }: Page): string => path.split('/')[0] ?? '';

/** Links in order. Pages with a subgroup are in nested groups, after the other pages. */
function itemsOf(pages: readonly Page[]): readonly NavigationItem[] {
  const sortedPages = pages.toSorted((one, other) => one.order - other.order);
  const subgroups = Map.groupBy(sortedPages, ({ subgroup }) => subgroup);
  return [...subgroups].flatMap(([text, members]) =>
    text === undefined
      ? members.map(linkOf)
      : [{ text, collapsed: true, items: members.map(linkOf) }],
  );
}

const linkOf = ({ path, title }: Page): NavigationItem => ({
  text: title,
  link: `/${path.replace(/(^|\/)index$/, '$1')}`,
});

/** Sidebars by the path of their pages: the error codes, and everything else. */
export function sidebarsOf(
  navigation: readonly NavigationItem[],
): Readonly<Record<string, readonly NavigationItem[]>> {
  const isErrors = ({ text }: NavigationItem): boolean => text === groupTitles[ERRORS];
  const index = { text: 'All error codes', link: ERRORS_PATH };
  return {
    [ERRORS_PATH]: [{ text: 'Home', link: '/' }, ...navigation.filter(isErrors)],
    '/': navigation.map((group) => (isErrors(group) ? { ...group, items: [index] } : group)),
  };
}

/** All links below the items, in order. */
export const linksOf = (items: readonly NavigationItem[]): readonly NavigationItem[] =>
  items.flatMap((item) => (item.items ? linksOf(item.items) : [item]));
