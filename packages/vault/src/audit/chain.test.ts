import { describe, expect, test } from 'vitest';
import { type AuditRow, chain, faultIn, GENESIS, type UnchainedRow } from './chain.ts';

const entry = (verb: string): UnchainedRow => ({
  at: new Date('2026-11-21T12:00:00Z'),
  actor: 'server',
  verb,
  merchant_id: 'm',
  mode: 'live',
  token_hash: null,
  outcome: 'done',
});

const rows = chain(GENESIS, ['ingest', 'authorise', 'destroy'].map(entry));
const faultsOf = (all: readonly AuditRow[]): (string | undefined)[] =>
  all.map((row, at) => faultIn(all[at - 1] ?? GENESIS, row));

test('a chain is valid, even when it is continued later', () => {
  const more = chain(rows[2]!, [entry('rotate')]);
  expect(faultsOf([...rows, ...more])).toEqual([undefined, undefined, undefined, undefined]);
});

describe('a chain breaks where an entry', () => {
  test.each<[string, Partial<AuditRow>]>([
    ['has another verb', { verb: 'relay' }],
    ['has another time', { at: new Date('2026-11-21T12:00:01Z') }],
    ['loses its merchant', { merchant_id: null }],
    ['has another outcome', { outcome: 'refused' }],
  ])('%s', (_name, change) => {
    const changed = rows.map((row) => (row.seq === 2 ? { ...row, ...change } : row));
    expect(faultsOf(changed)[1]).toBe('entry 2 was changed');
  });

  test('is left out', () => {
    expect(faultIn(rows[0]!, rows[2]!)).toBe('entries 2 to 2 are missing');
  });

  test('is rewritten with a matching hash of its own', () => {
    const [forged] = chain({ ...GENESIS, seq: 1 }, [entry('relay')]);
    expect(faultIn(rows[0]!, forged!)).toBe('entry 2 does not continue the one before');
  });
});
