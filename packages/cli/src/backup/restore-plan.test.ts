import { describe, expect, it } from 'vitest';
import type { Manifest } from './base-backup.ts';
import type { Catalog } from './catalog.ts';
import { segmentAfter } from './log-segments.ts';
import { prunable } from './prune.ts';
import { planRestore } from './restore-plan.ts';

const FIRST = '000000010000000000000010';
const segment = (number: number) => segmentAfter(FIRST, number);
const at = (minute: number) => `2026-11-28T10:${String(minute).padStart(2, '0')}:00.000Z`;

/** Base backups that end in the minutes 10 and 30. Segment n is stored in minute n; the log covers 40 minutes. */
const base = (label: string, start: number): Manifest => ({
  label,
  stopped_at: at(start),
  start_segment: segment(start),
  stop_segment: segment(start + 1),
  postgres_major: '18',
  migrations: { server: '', vault: '' },
  passwords: { postgres: '', florin_owner: '', florin_server: '', florin_vault: '' },
  keys: [],
  directories: [],
  files: [],
});
const catalog = (without: readonly number[] = []): Catalog => ({
  bases: [base('first', 10), base('second', 30)],
  segments: Array.from({ length: 31 }, (_, index) => index + 10)
    .filter((number) => !without.includes(number))
    .map((number) => ({ name: segment(number), stored_at: at(number) })),
  log: { covers_until: at(40), last_segment: segment(40) },
  shut: 0,
  suspects: [],
  sealed_with: new Map(),
});

const outcome = (from: Catalog, until?: string) => {
  const result = planRestore(from, until);
  if ('refusal' in result) return result.refusal;
  const { base: chosen, segments, is_whole } = result.plan;
  return { label: chosen.label, first: segments[0], last: segments.at(-1), is_whole };
};
const planned = (label: string, first: number, last: number, is_whole = true) => ({
  label,
  first: segment(first),
  last: segment(last),
  is_whole,
});

describe('the plan of a restore', () => {
  it.each<[string, number[], string | undefined, ReturnType<typeof outcome>]>([
    ['the end of the log', [], undefined, planned('second', 30, 40)],
    ['a time after the second base', [], at(35), planned('second', 30, 40)],
    ['the moment of a base', [], at(30), planned('second', 30, 40)],
    ['a time between the bases: the log until the second', [], at(20), planned('first', 10, 31)],
    ['a time between the bases, whatever happened later', [35], at(20), planned('first', 10, 31)],
    ['the end, whatever is missing before the base', [20], undefined, planned('second', 30, 40)],
    ['a time before the gap: PostgreSQL decides', [20], at(15), planned('first', 10, 19, false)],
    ['another time zone', [], '2026-11-28T11:20:00+01:00', planned('first', 10, 31)],
  ])('to %s', (_name, without, until, expected) => {
    expect(outcome(catalog(without), until)).toEqual(expected);
  });

  it.each<[string, number[], string | undefined, RegExp]>([
    ['a time before the first base', [], at(9), /is before the first base backup, which ended at/],
    ['a time after the log', [], at(41), /is after the end of the log, 2026-11-28T10:40/],
    ['the end after a gap', [35], undefined, /gap: 0{7}10{14}33 is missing.*before .*10:34/],
    ['the end without its last segment', [40], undefined, /gap: .* is missing/],
    ['a time after a gap', [20], at(25), /gap: .* is missing.*before .*10:19/],
    ['a base without its own log', [31], at(35), /gap: .*, which the base backup second needs/],
  ])('refuses %s', (_name, without, until, refusal) => {
    expect(outcome(catalog(without), until)).toMatch(refusal);
  });

  it('refuses an empty repository', () => {
    const empty = {
      bases: [],
      segments: [],
      log: undefined,
      shut: 0,
      suspects: [],
      sealed_with: new Map(),
    };
    expect(outcome(empty)).toMatch(/holds no complete base backup/);
  });
});

it('old base backups leave with the log before the oldest that stays', () => {
  expect(prunable(catalog(), 1)).toEqual({
    labels: ['first'],
    segments: Array.from({ length: 20 }, (_, index) => segment(index + 10)),
  });
  expect(prunable(catalog(), 2)).toEqual({ labels: [], segments: [] });
});
