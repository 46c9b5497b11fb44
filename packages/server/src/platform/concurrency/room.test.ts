import { expect, it } from 'vitest';
import { createRoom } from './room.ts';

it('room is free again as soon as one is given back, not all', async () => {
  const room = createRoom(3);
  room.take(3);
  expect(room.left()).toBe(0);
  let free = false;
  const waiting = room.free().then(() => {
    free = true;
  });
  await Promise.resolve();
  expect(free).toBe(false);
  room.give(1);
  await waiting;
  expect(room.left()).toBe(1);
  await room.free();
});

it('room for several is waited for until there is as much, or nobody wants it any more', async () => {
  const room = createRoom(3);
  room.take(3);
  const unwanted = new AbortController();
  const [two, three] = [room.free(2), room.free(3, unwanted.signal)];
  room.give(1);
  room.give(1);
  await two;
  unwanted.abort();
  await three;
  expect(room.left()).toBe(2);
});
