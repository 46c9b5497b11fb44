import { errorHelp } from '@florin/contract/error-help/catalogue.ts';
import { type ErrorCode, errorPagePath, errorTable } from '@florin/contract/errors.ts';
import { describe, expect, it } from 'vitest';
import { useApi } from '../../packages/server/tests/support/api.ts';
import { referencePages } from '../src/reference/pages.ts';
import { directives } from '../src/site/directives.ts';
import { linkErrorCodes } from '../src/site/error-links.ts';
import { linksOf, navigationOf, sidebarsOf } from '../src/site/navigation.ts';
import { readPages } from '../src/site/pages.ts';
import { PAGES } from '../src/site/write.ts';

const api = useApi();
const codes = Object.keys(errorTable) as ErrorCode[];
const pages = [...readPages(PAGES), ...referencePages()];
const pageByPath = new Map(pages.map((page) => [page.path, page]));

const markdownOf = (code: ErrorCode): string => pageByPath.get(errorPagePath(code))?.markdown ?? '';

/** The JSON of a page's example response. */
const exampleOf = (code: ErrorCode) =>
  JSON.parse(/```json\n([\s\S]+?)\n```/.exec(markdownOf(code))?.[1] ?? 'null');

describe('the pages of the error codes', () => {
  it('show the error that Florin sends, with its title, status and help', () => {
    for (const code of codes) {
      const { title, cause, fix, example } = errorHelp[code];
      for (const text of [`# ${title}`, `\`${code}\``, cause, fix])
        expect(markdownOf(code)).toContain(text);
      const { request: _, ...details } = example;
      const status = String(errorTable[code].status);
      expect(exampleOf(code).errors).toEqual([
        expect.objectContaining({ code, status, title: errorTable[code].title, ...details }),
      ]);
    }
  });

  it('are listed on the page of all codes', () => {
    const text = directives['error-codes']?.('') ?? '';
    expect(codes.filter((code) => !text.includes(`](/${errorPagePath(code)})`))).toEqual([]);
  });

  it('are in a sidebar of their own; other pages link the list alone', () => {
    const sidebars = sidebarsOf(navigationOf(pages));
    const linksIn = (path: string) =>
      linksOf(sidebars[path] ?? [])
        .map(({ link = '' }) => link)
        .filter((link) => link.startsWith('/errors/'));
    const paths = codes.map((code) => `/${errorPagePath(code)}`);
    expect(linksIn('/errors/').toSorted()).toEqual(['/errors/', ...paths].toSorted());
    expect(linksIn('/')).toEqual(['/errors/']);
  });

  it('are linked where a page names a status with its code', () => {
    const text = '422 `blank` and 404 `blank`\n```sh\n422 `blank`\n```\n| 405 `invalid_state` |';
    expect(linkErrorCodes(text)).toBe(
      '422 [`blank`](/errors/blank) and 404 `blank`\n```sh\n422 `blank`\n```\n| 405 [`invalid_state`](/errors/invalid_state) |',
    );
  });

  it('are where links.about of an error leads', async () => {
    const answers = await Promise.all([
      api.client.get('/v2/customers?limit=10'),
      api.client.get('/v2/customers', { authorization: null }),
      api.client.get('/v2/nothing'),
    ]);
    for (const { body } of answers) {
      const { code, links } = body.errors![0]!;
      const { pathname } = new URL(links?.about ?? '');
      const page = pageByPath.get(pathname.replace('/docs/', ''));
      expect(page?.title).toBe(code);
    }
  });
});
