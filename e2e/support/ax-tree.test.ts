import { expect, it } from 'vitest';
import { type AxNode, announcements, axProblems } from './ax-tree.ts';

const node = (
  id: string,
  role: string,
  name: string,
  parent_id = 'root',
  properties: AxNode['properties'] = {},
): AxNode => ({ id, role, name, parent_id, properties });

const title = node('title', 'heading', 'Payments', 'root', { level: 1 });
const row = node('row', 'row', '');

it.each([
  [[], []],
  [[node('a', 'button', '', 'root', { focusable: true })], ['button without a name']],
  [[row, node('a', 'button', 'Edit', 'row'), node('b', 'button', 'Remove', 'row')], []],
  [
    [
      row,
      node('cell', 'cell', '', 'row'),
      node('a', 'link', 'Open', 'cell'),
      node('b', 'button', 'Open', 'row'),
    ],
    ['two actions “Open” in one row'],
  ],
  [
    [node('h', 'heading', 'Facts', 'root', { level: 3 })],
    ['a heading of level 3 leaves out a level'],
  ],
])('problems of %j', (nodes, problems) => {
  expect(axProblems([title, ...nodes])).toEqual(problems);
});

it('a page needs a first heading', () => {
  expect(axProblems([])).toEqual(['0 first headings']);
});

it('texts in live regions are announced', () => {
  const live = node('live', 'status', '', 'root', { live: 'polite' });
  const texts = [node('a', 'StaticText', 'Saved.', 'live'), node('b', 'StaticText', 'Edit')];
  expect(announcements([live, ...texts])).toEqual(['Saved.']);
});
