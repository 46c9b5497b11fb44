import { expect, it } from 'vitest';
import { renderMemory } from './memory.ts';

it('names processes as the documents do, largest first', () => {
  expect(renderMemory({ cli: 70, simulator: 90, server: 190 })).toBe(
    'server 190 MB, simulated card network 90 MB, supervisor 70 MB',
  );
});
