import { describe, expect, test } from 'vitest';
import { type AuditRow, chainRows, findFault, GENESIS, type UnchainedRow } from './chain.ts';

const createRow = (verb: string): UnchainedRow => ({
  at: new Date('2026-11-21T12:00:00Z'),
  actor: 'server',
  verb,
  merchant_id: 'm',
  mode: 'live',
  token_hash: null,
  outcome: 'done',
});

const rows = chainRows(GENESIS, ['ingest', 'authorise', 'destroy'].map(createRow));
const faultsOf = (auditRows: readonly AuditRow[]): (string | undefined)[] =>
  auditRows.map((row, index) => findFault(auditRows[index - 1] ?? GENESIS, row));

test('a chain is valid, even when it is continued later', () => {
  const addedRows = chainRows(rows[2]!, [createRow('rotate')]);
  expect(faultsOf([...rows, ...addedRows])).toEqual([undefined, undefined, undefined, undefined]);
});

describe('a chain breaks where an entry', () => {
  test.each<[string, Partial<AuditRow>]>([
    ['has another verb', { verb: 'relay' }],
    ['has another time', { at: new Date('2026-11-21T12:00:01Z') }],
    ['loses its merchant', { merchant_id: null }],
    ['has another outcome', { outcome: 'refused' }],
  ])('%s', (_name, change) => {
    const changedRows = rows.map((row) => (row.seq === 2 ? { ...row, ...change } : row));
    expect(faultsOf(changedRows)[1]).toBe('entry 2 was changed');
  });

  test('is left out', () => {
    expect(findFault(rows[0]!, rows[2]!)).toBe('entries 2 to 2 are missing');
  });

  test('is rewritten with a matching hash of its own', () => {
    const [forgedRow] = chainRows({ ...GENESIS, seq: 1 }, [createRow('relay')]);
    expect(findFault(rows[0]!, forgedRow!)).toBe('entry 2 does not continue the one before');
  });
});
