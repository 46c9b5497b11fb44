import { expect, it } from 'vitest';
import { renderCells, renderHop, totalOf } from './render.ts';

const time = (server: number, load: number) => ({
  server,
  vault: 0.25,
  postgresql: 0.5,
  simulator: 9,
  load,
});

it('adds cells, and weighs processor time by payments, without simulator and load', () => {
  const total = totalOf([
    { figure: 300, operations: 3_000, processor_ms: time(0.25, 9) },
    { figure: 100, operations: 1_000, processor_ms: time(1.25, 9) },
  ]);
  expect(total).toEqual({ per_second: 400, own_ms: 1.25 });
});

it('says nothing about processor time where the machine does not tell', () => {
  expect(totalOf([{ figure: 300, operations: 3_000 }]).own_ms).toBeNaN();
});

it('shows the median of the rounds with each number of cells beside one cell', () => {
  const rounds = (...rates: number[]) => rates.map((per_second) => ({ per_second, own_ms: 1.5 }));
  const text = renderCells([
    { count: 1, rounds: rounds(1_100, 1_000, 900) },
    { count: 4, rounds: rounds(700, 960, 980) },
  ]);
  expect(text.split('\n').slice(1)).toEqual([
    '    1        1000         1.00                    1.50',
    '    4         960         0.96                    1.50',
  ]);
});

it('shows the median of the rounds through a router beside that of direct ones', () => {
  const total = (per_second: number, own_ms = 3) => ({ per_second, own_ms });
  const text = renderHop([
    { direct: total(400), routed: total(300, 3.2), router_ms: 0.25 },
    { direct: total(500), routed: total(380, 3.5), router_ms: 0.5 },
    { direct: total(600), routed: total(400, 3.9), router_ms: 0.75 },
  ]);
  expect(
    text
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/ +/)),
  ).toEqual([
    ['direct', '500', '1.00', '3.00'],
    ['router', '380', '0.76', '3.50', '0.50'],
  ]);
});
