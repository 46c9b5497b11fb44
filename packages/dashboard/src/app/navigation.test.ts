import { expect, it } from 'vitest';
import { consoleNavigation, navigation } from './navigation.ts';
import { pages } from './pages.ts';

const items = [...navigation, ...consoleNavigation].flatMap((group) => group.items);
const tabs = items.flatMap((item) => [item, ...(item.tabs ?? [])]);

it('no two entries have the same icon', () => {
  const icons = items.map(({ icon }) => icon);
  expect(icons.filter((icon, at) => icons.indexOf(icon) !== at)).toEqual([]);
});

it.each(tabs.map(({ text, to }) => [text, to]))('%s leads to a page', (_text, to) => {
  const path = to.replace(/^\//, '').replace(/^records\/(?!\$)[a-z_]+$/, 'records/$type');
  expect(pages.map((page) => page.path)).toContain(path);
});
