import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FORM_PAIRS_MAX, readForm, writeForm } from './form.ts';
import { BODY_DEPTH_MAX } from './write-scalar.ts';

const SEED = 20_261_124;
const body = { amount: 100, capture: true, card: { number: '4 2', cvc: undefined }, items: ['a'] };

it('writes nested members with brackets or dots, and omits members without a value', () => {
  expect(writeForm(body, 'brackets')).toBe(
    'amount=100&capture=true&card%5Bnumber%5D=4+2&items%5B0%5D=a',
  );
  expect(writeForm(body, 'dots')).toBe('amount=100&capture=true&card.number=4+2&items.0=a');
});

it.each<[string, unknown, string]>([
  ['null', { card: { a: null } }, 'The body at /card/a is null, and no placeholder names it.'],
  [
    'a number with an exponent',
    { a: 1e21 },
    'The body at /a is no text, plain number, true or false.',
  ],
  [
    'a name with a bracket',
    { data: { 'x][pan': '1' } },
    'The body at /data/x][pan has a name that a form cannot have.',
  ],
  ['a list as body', [], 'The body at / is no object.'],
])('refuses %s, and names the position', (_name, value, detail) => {
  expect(() => writeForm(value, 'brackets')).toThrow(
    expect.objectContaining({ why: 'body_unusable', detail }),
  );
});

it('refuses more values than its limit, and more levels', () => {
  const wide = Object.fromEntries(Array.from({ length: FORM_PAIRS_MAX + 1 }, (_, n) => [n, 'x']));
  expect(() => writeForm(wide, 'dots')).toThrow(
    expect.objectContaining({ detail: `The body at / has over ${FORM_PAIRS_MAX} values.` }),
  );
  let deep: unknown = 'x';
  for (let level = 0; level <= BODY_DEPTH_MAX; level += 1) deep = { a: deep };
  expect(() => writeForm(deep, 'dots')).toThrow(expect.objectContaining({ why: 'body_unusable' }));
});

it('reads what it wrote, whatever the texts are', () => {
  const texts = fc.dictionary(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(texts, (values) => {
      const safe = Object.fromEntries(
        Object.entries(values).filter(([name]) => !/[[\]]/.test(name) && name === name.trim()),
      );
      expect(readForm(writeForm(safe, 'brackets'))).toEqual(safe);
    }),
    { seed: SEED },
  );
});

it('reads a repeated name as a list, and any name as a member of its own', () => {
  const answer = readForm('result=approved&result=declined&__proto__=x\r\n');
  expect(JSON.stringify(answer)).toBe('{"result":["approved","declined"],"__proto__":"x"}');
});

it('reads no more values than its limit', () => {
  expect(() => readForm('a=1&'.repeat(FORM_PAIRS_MAX + 1))).toThrow(RangeError);
});
