import { describe, expect, it } from 'vitest';
import {
  type CellCandidate,
  describeInputProblem,
  describeRefusal,
  shownAddress,
} from './decide.ts';

const ADDRESS = 'postgres://owner:secret@db.example:5432/florin?schema=cell_a';

describe('name and address of a cell', () => {
  it.each([
    ['cell_a', ADDRESS, undefined],
    ['Cell', ADDRESS, 'is no name of a cell'],
    ['', ADDRESS, 'is no name of a cell'],
    ['all', ADDRESS, 'use neither all nor none'],
    ['none_b', ADDRESS, undefined],
    ['a'.repeat(32), ADDRESS, 'is no name of a cell'],
    ['cell_a', 'mysql://db/florin', 'the address must be postgres://'],
    ['cell_a', 'postgres://u@db/florin?pgbouncer=true', 'leads to PgBouncer'],
    ['cell_a', 'postgres://u@db/florin?schema=vault', 'of the address, its schema must be'],
  ])('%s at %s', (name, address, problem) => {
    const found = describeInputProblem(name, address);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });

  it('are shown without login', () => {
    expect(shownAddress(ADDRESS)).toBe('db.example:5432/florin schema cell_a');
  });
});

const EMPTY: CellCandidate = {
  login: 'owner',
  tables: 0,
  is_florin: false,
  owner: null,
  owns: false,
  may_create: true,
  cell: undefined,
  has_merchants: false,
  is_global: false,
  newer: [],
};
const MIGRATED: CellCandidate = {
  ...EMPTY,
  tables: 90,
  is_florin: true,
  owner: 'owner',
  owns: true,
};

describe('a database that shall become a cell', () => {
  it.each<[string, CellCandidate, string | undefined]>([
    ['empty', EMPTY, undefined],
    ['migrated before a crash', MIGRATED, undefined],
    ['the cell already', { ...MIGRATED, cell: 'a 1', has_merchants: true }, undefined],
    ['the global database', { ...MIGRATED, has_merchants: true, is_global: true }, undefined],
    ['of another program', { ...EMPTY, tables: 3 }, 'has 3 tables of another program'],
    ['of another owner', { ...MIGRATED, owner: 'other', owns: false }, 'belong to other'],
    ['without the right to create', { ...EMPTY, may_create: false }, 'may not create tables'],
    ['newer', { ...MIGRATED, newer: ['9999-later'] }, 'does not know 9999-later'],
    ['another cell', { ...MIGRATED, cell: 'b 2' }, 'is another cell already'],
    ['with merchants', { ...MIGRATED, has_merchants: true }, 'merchants of another installation'],
  ])('%s', (_name, candidate, refusal) => {
    const found = describeRefusal(candidate, 'a 1');
    if (refusal === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(refusal);
  });
});
