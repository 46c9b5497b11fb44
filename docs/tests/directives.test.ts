import type { Variable } from '@florin/contract/variable.ts';
import { variables } from '@florin/contract/variables.ts';
import { decideFallback } from '@florin/server/features/payments/fallback/fallback.ts';
import { microsOf } from '@florin/server/platform/time/clock.ts';
import { adapters } from '@florin/server/processors/adapters/index.ts';
import { describe, expect, it } from 'vitest';
import { directives } from '../src/site/directives.ts';
import { readPages } from '../src/site/pages.ts';
import { declinesByProcessor } from '../src/site/second-account.ts';
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

describe('the table of declines that ask a second account', () => {
  it('has every processor', () => {
    expect(Object.keys(declinesByProcessor)).toEqual(Object.keys(adapters));
  });

  it('lists the declines after which a payment asks one, and no other', () => {
    const [, , ...lines] = (directives['second-account']?.('') ?? '').split('\n');
    const route = { candidates: ['a', 'b'], fallback: 'declined' };
    const created_at = '2026-11-27 00:00:00+00';
    const attempt = {
      id: 'x',
      processor_account_id: 'a',
      route: JSON.stringify(route),
      created_at,
    };
    for (const [name, declines] of Object.entries(declinesByProcessor)) {
      const title = adapters[name]?.metadata.display_name;
      const listed = lines
        .filter((line) => line.startsWith(`| ${title} |`))
        .flatMap((line) => line.split(' | ')[1]?.split(', ') ?? []);
      const asking = declines.filter(({ advice }) => {
        const cause = { result: 'declined', why: 'generic_decline', advice } as const;
        return decideFallback(attempt, {}, cause, microsOf(created_at)) !== undefined;
      });
      expect(listed.toSorted()).toEqual(asking.map(({ code }) => code).toSorted());
    }
    expect(lines.join()).not.toContain('20005');
  });
});
