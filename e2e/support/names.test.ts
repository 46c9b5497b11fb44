import { describe, expect, it } from 'vitest';
import { nameProblemsOf } from './names.ts';

const page = (...lines: string[]): string => ['- heading "Team" [level=1]', ...lines].join('\n');

describe('the names of a page', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['a button without a name', ['- button'], ['unnamed button']],
    ['a table without a name', ['- table:', '  - rowgroup'], ['unnamed table']],
    ['a picture without a name', ['- img'], ['unnamed img']],
    ['a picture in a named button', ['- button "Close":', '  - img'], []],
    [
      'the same button in two rows',
      [
        '- table "Members":',
        '  - row "Ada":',
        '    - button "Edit"',
        '  - row "Sam":',
        '    - button "Edit"',
      ],
      ['two of button “Edit”'],
    ],
    [
      'a button in two rows that says what it changes',
      [
        '- row "Ada":',
        '  - \'button "Edit: Ada"\': Edit',
        '- row "Sam":',
        '  - \'button "Edit: Sam"\': Edit',
      ],
      [],
    ],
    [
      'the same button in two sections',
      ['- region "Profile":', '  - button "Save"', '- region "Logo":', '  - button "Save"'],
      [],
    ],
    [
      'two links to two places',
      ['- link "Show":', '  - /url: /a', '- link "Show":', '  - /url: /b'],
      ['two of link “Show”'],
    ],
    [
      'two links to one place',
      ['- link "Show":', '  - /url: /a', '- link "Show":', '  - /url: /a'],
      [],
    ],
    [
      'the same link in two rows',
      [
        '- row "Fee":',
        '  - link "Fee":',
        '    - /url: /a',
        '- row "Fee":',
        '  - link "Fee":',
        '    - /url: /b',
      ],
      [],
    ],
    [
      'choices of two records with the same name',
      [
        '- row "Roses":',
        '  - checkbox "Select: Roses"',
        '- row "Roses":',
        '  - checkbox "Select: Roses"',
      ],
      [],
    ],
    [
      'a link in a link',
      ['- link "Shop":', '  - /url: /a', '  - link "shop.example":', '    - /url: /b'],
      ['link “shop.example” in a link'],
    ],
    ['a second first heading', ['- heading "Role" [level=1]'], ['2 first headings']],
    [
      'a heading that leaves out a level',
      ['- heading "Role" [level=3]'],
      ['heading “Role” of level 3 leaves out a level'],
    ],
  ])('%s', (_case, lines, problems) => {
    expect(nameProblemsOf(page(...lines))).toEqual(problems);
  });
});
