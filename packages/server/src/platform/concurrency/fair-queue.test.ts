import { describe, expect, it } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

const anything = () => true;
const filled = (size_max: number, items: string) => {
  const queue = createFairQueue<string>(size_max);
  const displaced = items.split(' ').map((item) => queue.add(item.slice(0, 1), item));
  return { queue, displaced: displaced.filter((item) => item !== undefined) };
};

describe('a fair queue', () => {
  it('takes one item of each owner in turn, in the order of arrival', () => {
    const { queue } = filled(9, 'a1 a2 a3 a4 b1 b2 c1');
    expect(queue.take(5, anything)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2']);
    expect(queue.take(5, anything)).toEqual(['a3', 'a4']);
    expect(queue.size).toBe(0);
  });

  it('starts with the owners that got nothing in the last round', () => {
    const { queue } = filled(9, 'a1 a2 b1 b2 c1 c2');
    const taken = [queue.take(2, anything), queue.take(2, anything), queue.take(2, anything)];
    expect(taken).toEqual([
      ['a1', 'b1'],
      ['c1', 'a2'],
      ['b2', 'c2'],
    ]);
  });

  it('leaves items that may not be taken at their position', () => {
    const { queue } = filled(9, 'a1 a2 b1');
    expect(queue.take(9, (item) => item !== 'a1')).toEqual(['a2', 'b1']);
    expect(queue.take(9, anything)).toEqual(['a1']);
  });

  it('checks each item once', () => {
    const { queue } = filled(9, 'a1 a2 a3 a4 a5 b1');
    const asked: string[] = [];
    const taken = queue.take(9, (item) => {
      asked.push(item);
      return item > 'a2';
    });
    expect(taken).toEqual(['a3', 'b1', 'a4', 'a5']);
    expect(asked).toEqual(['a1', 'a2', 'a3', 'b1', 'a4', 'a5']);
  });

  it('that is full drops the last item of the longest line for owners with fewer items', () => {
    const { queue, displaced } = filled(4, 'a1 a2 a3 a4 a5 b1 b2 b3 c1');
    expect(displaced).toEqual(['a5', 'a4', 'a3', 'b3', 'a2']);
    expect(queue.take(4, anything)).toEqual(['a1', 'b1', 'c1', 'b2']);
  });

  it('skips the lines of closed owners without checking their items', () => {
    const { queue } = filled(9, 'a1 a2 b1 b2');
    const seen: string[] = [];
    const look = (item: string): boolean => seen.push(item) > 0;
    expect(queue.take(9, look, (owner) => owner !== 'a')).toEqual(['b1', 'b2']);
    expect(seen).toEqual(['b1', 'b2']);
    expect([queue.waitingOf('a'), queue.waitingOf('b')]).toEqual([2, 0]);
  });

  it('removes an item once, and no other', () => {
    const { queue } = filled(9, 'a1 a2 b1');
    for (const item of ['a1', 'a1', 'a9']) queue.remove('a', item);
    expect([queue.size, queue.take(9, anything)]).toEqual([2, ['a2', 'b1']]);
  });

  it('that is full of owners with one item each accepts no other', () => {
    expect(filled(3, 'a1 b1 c1 d1').displaced).toEqual(['d1']);
  });
});
