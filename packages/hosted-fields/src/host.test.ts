import type { FrameConfig } from '@florin/contract/protocol/frame.ts';
import { describe, expect, it } from 'vitest';
import { mayMount } from './host.ts';

const shop = 'https://shop.example.com';
const config = (mode: FrameConfig['mode'], origins: readonly string[]) =>
  ({ mode, origins }) as FrameConfig;

describe('mayMount', () => {
  it.each([
    ['live', [shop], shop, true],
    ['live', [shop], 'https://shop.example.com.evil.example', false],
    ['live', [shop], 'http://shop.example.com', false],
    ['live', [shop], 'null', false],
    ['live', [], shop, false],
    ['sandbox', [], shop, true],
    ['sandbox', [shop], 'https://other.example.com', false],
  ] as const)('in %s with origins %s, a page of %s: %s', (mode, origins, origin, may) => {
    expect(mayMount(config(mode, origins), origin)).toBe(may);
  });
});
