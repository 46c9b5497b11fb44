import { type Variable, variables } from '@florin/contract/variables.ts';
import { expect, it } from 'vitest';
import { directives } from '../src/site/directives.ts';
import { readPages } from '../src/site/pages.ts';
import { PAGES } from '../src/site/write.ts';

it('the pages list the variables of every topic', () => {
  const text = readPages(PAGES)
    .map(({ markdown }) => markdown)
    .join('\n');
  const topics = new Set(Object.values<Variable>(variables).map(({ topic }) => topic));
  const missingTopics = [...topics].filter(
    (topic) => !text.includes(`<!-- @variables ${topic} -->`),
  );
  expect(missingTopics).toEqual([]);
});

it('a directive with an unknown topic is an error', () => {
  expect(() => directives.variables?.('unknown')).toThrow('"unknown"');
});

it('a picture has both themes and a description; one that does not exist is an error', () => {
  const images = directives.shot?.('shop The "demo" shop') ?? '';
  expect(images).toContain('src="/shots/shop-light.png" alt="The &quot;demo&quot; shop"');
  expect(images).toContain('src="/shots/shop-dark.png"');
  expect(() => directives.shot?.('none There is none')).toThrow('none-light.png');
});
