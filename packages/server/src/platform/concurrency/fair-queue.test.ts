import { describe, expect, it } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

const takeAny = () => true;
const createFilledQueue = (size_max: number, items: string) => {
  const queue = createFairQueue<string>(size_max);
  const displaced = items.split(' ').map((item) => queue.add(item.slice(0, 1), item));
  return { queue, displaced: displaced.filter((item) => item !== undefined) };
};

describe('a fair queue', () => {
  it('takes one item of each owner in turn, in the order of arrival', () => {
    const { queue } = createFilledQueue(9, 'a1 a2 a3 a4 b1 b2 c1');
    expect(queue.take(5, takeAny)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2']);
    expect(queue.take(5, takeAny)).toEqual(['a3', 'a4']);
    expect(queue.size).toBe(0);
  });

  it('starts with the owners that got nothing in the last round', () => {
    const { queue } = createFilledQueue(9, 'a1 a2 b1 b2 c1 c2');
    const takenItems = [queue.take(2, takeAny), queue.take(2, takeAny), queue.take(2, takeAny)];
    expect(takenItems).toEqual([
      ['a1', 'b1'],
      ['c1', 'a2'],
      ['b2', 'c2'],
    ]);
  });

  it('leaves items that may not be taken at their position', () => {
    const { queue } = createFilledQueue(9, 'a1 a2 b1');
    expect(queue.take(9, (item) => item !== 'a1')).toEqual(['a2', 'b1']);
    expect(queue.take(9, takeAny)).toEqual(['a1']);
  });

  it('checks each item once', () => {
    const { queue } = createFilledQueue(9, 'a1 a2 a3 a4 a5 b1');
    const askedItems: string[] = [];
    const takenItems = queue.take(9, (item) => {
      askedItems.push(item);
      return item > 'a2';
    });
    expect(takenItems).toEqual(['a3', 'b1', 'a4', 'a5']);
    expect(askedItems).toEqual(['a1', 'a2', 'a3', 'b1', 'a4', 'a5']);
  });

  it('that is full drops the last item of the longest line for owners with fewer items', () => {
    const { queue, displaced } = createFilledQueue(4, 'a1 a2 a3 a4 a5 b1 b2 b3 c1');
    expect(displaced).toEqual(['a5', 'a4', 'a3', 'b3', 'a2']);
    expect(queue.take(4, takeAny)).toEqual(['a1', 'b1', 'c1', 'b2']);
  });

  it('skips the lines of closed owners without checking their items', () => {
    const { queue } = createFilledQueue(9, 'a1 a2 b1 b2');
    const seenItems: string[] = [];
    const recordItem = (item: string): boolean => seenItems.push(item) > 0;
    expect(queue.take(9, recordItem, (owner) => owner !== 'a')).toEqual(['b1', 'b2']);
    expect(seenItems).toEqual(['b1', 'b2']);
    expect([queue.waitingOf('a'), queue.waitingOf('b')]).toEqual([2, 0]);
  });

  it('removes an item once, and no other', () => {
    const { queue } = createFilledQueue(9, 'a1 a2 b1');
    for (const item of ['a1', 'a1', 'a9']) queue.remove('a', item);
    expect([queue.size, queue.take(9, takeAny)]).toEqual([2, ['a2', 'b1']]);
  });

  it('that is full of owners with one item each accepts no other', () => {
    expect(createFilledQueue(3, 'a1 b1 c1 d1').displaced).toEqual(['d1']);
  });
});
