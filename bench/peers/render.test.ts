import { expect, it } from 'vitest';
import { renderPeers } from './render.ts';

const florin = { name: 'Florin', keeps: 'PostgreSQL', creates: [4000, 5000, 3000], pages: [6000] };

it('prints medians, and ratios to Florin', () => {
  const peer = { name: 'Emulator', keeps: 'memory', creates: [50, 40], pages: [1500] };
  const lines = renderPeers([florin, peer]).split('\n');
  expect(lines.map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['program', 'keeps in', 'creates/s', 'to Florin', 'pages/s', 'to Florin'],
    ['Florin', 'PostgreSQL', '4000', '1.000', '6000', '1.000'],
    ['Emulator', 'memory', '50.0', '0.013', '1500', '0.250'],
  ]);
});

it('says which program did not run, and why', () => {
  const peer = { name: 'Shop', keeps: 'PostgreSQL', creates: [], pages: [], error: 'no database' };
  const [, , line, reason] = renderPeers([florin, peer]).split('\n');
  expect(line?.trim().split(/ {2,}/)).toEqual(['Shop', 'PostgreSQL', 'did not run']);
  expect(reason).toBe('Shop: no database');
});
