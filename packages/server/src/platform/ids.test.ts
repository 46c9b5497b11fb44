import { expect, it } from 'vitest';
import { isUuid, uuidv7 } from './ids.ts';

const now = 1795232640123456;

it('is a UUID of version 7 and the RFC variant, and starts with the milliseconds', () => {
  for (let i = 0; i < 1000; i++) {
    const id = uuidv7(now);
    expect(isUuid(id)).toBe(true);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(Math.floor(now / 1000));
  }
});

it('sorts by microsecond', () => {
  const ids = [0, 1, 2, 500, 999, 1000].map((offset) => uuidv7(now - 456 + offset));
  expect(ids.map((id) => id.slice(0, 18)).toSorted()).toEqual(ids.map((id) => id.slice(0, 18)));
});

it('does not repeat', () => {
  const ids = Array.from({ length: 5000 }, () => uuidv7(now));
  expect(new Set(ids).size).toBe(ids.length);
});
