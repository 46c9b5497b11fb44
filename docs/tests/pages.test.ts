import { describe, expect, it } from 'vitest';
import { checkSyntax, reasonOf } from '../src/samples/checked-only.ts';
import { stepsOf } from '../src/samples/steps.ts';
import { directives } from '../src/site/directives.ts';
import { expandPage } from '../src/site/expand.ts';
import { fencesOf } from '../src/site/fences.ts';
import { linksOf, navigationOf } from '../src/site/navigation.ts';
import { parsePage, readPages } from '../src/site/pages.ts';
import { PAGES, twinOf } from '../src/site/write.ts';

const pages = readPages(PAGES);

describe.each(pages)('the page $path', ({ markdown }) => {
  it('can be expanded, and its samples parsed', () => {
    expect(expandPage(markdown, directives)).not.toMatch(/^```api|<!-- @/m);
    expect(() => stepsOf(markdown)).not.toThrow();
  });

  it('has code that is run, or that is correct in syntax and says why it is not run', () => {
    const checkedFences = fencesOf(markdown).filter((fence) => reasonOf(fence) !== undefined);
    for (const fence of checkedFences) {
      expect(() => checkSyntax(fence), `line ${fence.line}`).not.toThrow();
    }
    expect(checkedFences.every(({ flags }) => flags.length > 'check=""'.length)).toBe(true);
  });
});

describe('the navigation', () => {
  it('has every page but the first once', () => {
    const links = linksOf(navigationOf(pages)).map(({ link }) => link);
    const paths = pages.map(({ path }) => `/${path.replace(/(^|\/)index$/, '$1')}`);
    expect(links.toSorted()).toEqual(paths.filter((path) => path !== '/').toSorted());
  });

  it('refuses a page in a folder that is no group', () => {
    const page = parsePage('elsewhere/page', '---\norder: 1\n---\n# Page\n');
    expect(() => navigationOf([page])).toThrow('elsewhere');
  });

  it.each([
    ['without a position', '# Page\n', 'order: 20'],
    ['without a heading', '---\norder: 1\n---\nText\n', '# Title'],
  ])('refuses a page %s', (_, text, problem) => {
    expect(() => parsePage('start/page', text)).toThrow(problem);
  });
});

it('a Markdown twin links to other twins, and has no parts of the HTML', () => {
  const markdown =
    '### Fetch {#fetchCustomer}\n\n<TryIt operation="fetchCustomer" />\n\n[A](/guides/refunds#one) [B](/errors/) [C](/llms.txt)';
  expect(twinOf(markdown)).toBe(
    '### Fetch\n\n[A](/docs/guides/refunds.md#one) [B](/docs/errors/index.md) [C](/docs/llms.txt)',
  );
});

it.each([
  [
    'code groups as blocks',
    '::: code-group\n\n```sh [curl]\na\n```\n\n```ts [Node]\nb\n```\n\n:::\n\nText',
    '```sh [curl]\na\n```\n\n```ts [Node]\nb\n```\n\nText',
  ],
  ['warnings by their title', '::: warning Beware\nText\n:::\n', '**Beware**\n\nText\n\n'],
  [
    'one picture of two themes',
    directives.shot?.("shop A shop's page") ?? '',
    '![A shop&#39;s page](/docs/shots/shop-light.png)',
  ],
])('a Markdown twin has %s', (_, markdown, twin) => {
  expect(twinOf(markdown)).toBe(twin);
});
