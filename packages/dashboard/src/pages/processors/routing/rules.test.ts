import { describe, expect, it } from 'vitest';
import {
  type EditedRule,
  editedRules,
  moveRule,
  putRule,
  ruleOfPointer,
  rulesBody,
  usedConditions,
} from './rules.ts';

const rule = (key: string): EditedRule => ({
  key,
  name: key,
  merchant_id: null,
  conditions: {},
  accounts: ['network'],
});
const rules = ['a', 'b', 'c'].map(rule);
const namesOf = (list: readonly EditedRule[]) => list.map(({ name }) => name).join('');

describe('rules', () => {
  it.each([
    ['b', -1, 'bac'],
    ['b', 1, 'acb'],
    ['a', -1, 'abc'],
    ['c', 1, 'abc'],
    ['x', 1, 'abc'],
  ] as const)('%s moved by %i: %s', (key, step, order) => {
    expect(namesOf(moveRule(rules, key, step))).toBe(order);
  });

  it('are replaced by key, and new ones are the last', () => {
    expect(namesOf(putRule(rules, { ...rule('b'), name: 'B' }))).toBe('aBc');
    expect(namesOf(putRule(rules, rule('d')))).toBe('abcd');
  });

  it('are sent as they were read, without the mode', () => {
    const { key: _, ...stored } = rule('a');
    const document = { data: [{ ...stored, mode: 'live', later: true }], etag: '"1.rules"' };
    expect(rulesBody(editedRules(document))).toEqual({ rules: [{ ...stored, later: true }] });
  });

  it.each([
    ['/rules/2/accounts', 2],
    ['/rules/0', 0],
    ['/rules', undefined],
    [undefined, undefined],
  ])('a problem at %s is of rule %s', (pointer, at) => {
    expect(ruleOfPointer(pointer)).toBe(at);
  });

  it('have no conditions that match everything', () => {
    const conditions = { currencies: ['EUR'], networks: [], amount_min: 0 };
    expect(usedConditions(conditions)).toEqual({ currencies: ['EUR'], amount_min: 0 });
  });
});
