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
