import { expect, it } from 'vitest';
import { instantText, microsOf, systemClock } from './clock.ts';

it.each([
  ['2026-11-21T03:44:00.123456Z', 1795232640123456],
  ['2026-11-21 03:44:00.1+00', 1795232640100000],
  ['2026-11-21 03:44:00+00', 1795232640000000],
  ['1970-01-01T00:00:00.000001Z', 1],
])('%s is that many microseconds', (text, micros) => {
  expect(microsOf(text)).toBe(micros);
});

it.each(['yesterday', '2026-11-21 03:44:00+01', ''])('%j is not an instant in UTC', (text) => {
  expect(() => microsOf(text)).toThrow('not an instant');
});

it('writes six decimals and reads them back', () => {
  expect(instantText(1795232640000007)).toBe('2026-11-21T03:44:00.000007Z');
  expect(microsOf(instantText(1795232640123456))).toBe(1795232640123456);
});

it('keeps seconds apart, whatever second it wrote and read before', () => {
  const instants = [
    [1795232640999999, '2026-11-21T03:44:00.999999Z'],
    [1795232641000000, '2026-11-21T03:44:01.000000Z'],
    [-1, '1969-12-31T23:59:59.999999Z'],
    [1795232640000001, '2026-11-21T03:44:00.000001Z'],
  ] as const;
  expect(instants.map(([micros]) => instantText(micros))).toEqual(instants.map(([, text]) => text));
  expect(instants.map(([, text]) => microsOf(text))).toEqual(instants.map(([micros]) => micros));
});

it('never gives the same microsecond twice', () => {
  const clock = systemClock();
  const times = Array.from({ length: 1000 }, () => clock.now());
  expect(new Set(times).size).toBe(times.length);
});

it('follows a system clock that is set back, but not within a busy millisecond', () => {
  let systemTime = 1_000_000;
  const clock = systemClock(() => systemTime);
  const [firstTime, secondTime] = [clock.now(), clock.now()];
  expect(secondTime - firstTime).toBe(1);
  systemTime -= 3_600_000;
  expect(clock.now()).toBe(systemTime * 1000);
});
