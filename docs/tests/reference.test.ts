import { stateTableOf } from '@florin/contract/machines/all.ts';
import { isCurrentType, type Resource } from '@florin/contract/resources/define-resource.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { describe, expect, it } from 'vitest';
import { consoleOperations, referencePages } from '../src/reference/pages.ts';
import { linksOf, navigationOf } from '../src/site/navigation.ts';

const pages = referencePages();
const markdownOf = (path: string) => pages.find((page) => page.path === path)?.markdown ?? '';
const types = Object.values<Resource>(resources).filter(isCurrentType);

describe('the API reference', () => {
  it('has a page for every type but old names, and begins with payments', () => {
    const paths = linksOf(navigationOf(pages)).map(({ link }) => String(link));
    const typePaths = paths.filter((path) => path.startsWith('/api/'));
    expect(typePaths[0]).toBe('/api/payment_demands');
    expect(typePaths.toSorted()).toEqual(types.map(({ type }) => `/api/${type}`).toSorted());
  });

  it.each([
    ['payment_demands', '`line_items[].quantity`'],
    ['payment_demands', '{#confirmPaymentDemand}'],
    ['payment_demands', '`filter[created_at]`'],
    ['payment_demands', '`POST /v2/payment_demands`'],
  ])('page %s has %s', (type, text) => {
    expect(markdownOf(`api/${type}`)).toContain(text);
  });

  it('shows the states of each type, and its transitions', () => {
    const missingStates = types.flatMap(({ type, table = type }) =>
      Object.keys(stateTableOf(table)?.machine.states ?? {})
        .filter((state) => !markdownOf(`api/${type}`).includes(`\`${state}\``))
        .map((state) => `${type}.${state}`),
    );
    expect(missingStates).toEqual([]);
    const [row = ''] = /^\| `authorised` .*$/m.exec(markdownOf('api/payment_demands')) ?? [];
    expect(row.replaceAll('<br>', ' ').match(/\w+/g)?.join(' ')).toBe(
      'authorised capture processing void processing lapse succeeded capture void',
    );
  });

  it('has one anchor for each operation of a page', () => {
    for (const { path, markdown } of pages) {
      const ids = [...markdown.matchAll(/\{#([^}]+)\}/g)].map(([, id]) => id);
      expect(new Set(ids).size, path).toBe(ids.length);
    }
  });

  it('gives the console every operation that it shows', () => {
    const shown = pages.flatMap(({ markdown }) =>
      [...markdown.matchAll(/<TryIt operation="(\w+)"/g)].map(([, id]) => id as string),
    );
    expect(shown.length).toBeGreaterThan(100);
    expect(shown.toSorted()).toEqual(Object.keys(consoleOperations()).toSorted());
  });
});
