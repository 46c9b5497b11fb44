import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Deletion, plainDigits, reformat } from './edit.ts';
import { numberFormat } from './formats.ts';

/** Expected result: digits, and a cursor between two of them. */
interface Model {
  readonly digits: string;
  readonly cursor: number;
}

/** State of the field in the browser. */
interface Shown {
  readonly text: string;
  readonly caret: number;
}

type Action =
  | { readonly kind: 'insert'; readonly text: string }
  | { readonly kind: Deletion }
  | { readonly kind: 'move'; readonly to: number };

const splice = (text: string, from: number, to: number, insert = ''): string =>
  text.slice(0, from) + insert + text.slice(to);

/** Reference model: edits of unformatted digits. */
function applyToModel({ digits, cursor }: Model, action: Action): Model {
  switch (action.kind) {
    case 'insert': {
      const added = plainDigits(action.text);
      const next = numberFormat.digits(splice(digits, cursor, cursor, added));
      return { digits: next, cursor: Math.min(cursor + added.length, next.length) };
    }
    case 'backward':
      if (cursor === 0) return { digits, cursor };
      return { digits: splice(digits, cursor - 1, cursor), cursor: cursor - 1 };
    case 'forward':
      return { digits: splice(digits, cursor, cursor + 1), cursor };
    case 'move':
      return { digits, cursor: Math.min(action.to, digits.length) };
  }
}

/** Edits raw text like a browser, which knows no separators; then reformats the field. */
function applyAction(shown: Shown, action: Action): Shown {
  const { text, caret } = shown;
  const before = plainDigits(text);
  if (action.kind === 'move') return { text, caret: caretBehind(text, action.to) };
  if (action.kind === 'insert') {
    const raw = splice(text, caret, caret, action.text);
    const edit = { before, raw, caret: caret + action.text.length, deletion: undefined };
    return reformat(numberFormat, edit);
  }
  const from = action.kind === 'backward' ? Math.max(0, caret - 1) : caret;
  const to = action.kind === 'backward' ? caret : caret + 1;
  const raw = splice(text, from, to);
  if (raw === text) return shown;
  return reformat(numberFormat, { before, raw, caret: from, deletion: action.kind });
}

function caretBehind(text: string, count: number): number {
  let index = 0;
  while (plainDigits(text.slice(0, index)).length < Math.min(count, plainDigits(text).length))
    index++;
  return index;
}

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    kind: fc.constant('insert' as const),
    text: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...'0123456789') },
      fc.stringMatching(/^[0-9 .-]{0,8}$/),
      fc.constantFrom('4111 1111 1111 1111', '3782-822463-10005', 'x', ' ', '４２', '٤٢'),
    ),
  }),
  fc.record({ kind: fc.constantFrom('backward' as const, 'forward' as const) }),
  fc.record({ kind: fc.constant('move' as const), to: fc.nat(20) }),
);

describe('reformat', () => {
  it('#25 keeps digits and cursor of a card number like an unformatted row of digits', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        let model: Model = { digits: '', cursor: 0 };
        let shown: Shown = { text: '', caret: 0 };
        for (const step of actions) {
          model = applyToModel(model, step);
          shown = applyAction(shown, step);
          expect(shown.text).toBe(numberFormat.show(model.digits));
          expect(plainDigits(shown.text.slice(0, shown.caret)).length).toBe(model.cursor);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ['a digit typed in the middle', '4111 1211 1', 6, undefined, '4111111', '4111 1211 1', 6],
    ['backspace over a separator', '41111', 4, 'backward', '41111', '4111', 3],
    ['delete over a separator', '41111', 4, 'forward', '41111', '4111', 4],
    ['a paste at the end', 'card: 4111-1111', 15, undefined, '', '4111 1111', 9],
  ] as const)('%s', (_name, raw, caret, deletion, before, text, at) => {
    expect(reformat(numberFormat, { before, raw, caret, deletion })).toEqual({ text, caret: at });
  });
});
