import { expect, it } from 'vitest';
import { ApiError, problemsByField } from './errors.ts';

const problem = { status: '422', code: 'required', title: 'Missing', detail: 'Say who.' };
const at = (pointer: string) => ({ ...problem, source: { pointer } });

it("problems go to the form's own fields, the rest to the whole form", () => {
  const error = new ApiError(422, [at('/data/attributes/email'), at('/data/attributes/age')]);
  expect(problemsByField(error, (path) => path === 'email')).toEqual({
    fields: { email: 'Say who.' },
    others: [at('/data/attributes/age')],
  });
});

it('a translation comes before the detail, which names limits', () => {
  const text = 'Füllen Sie dieses Feld aus.';
  const error = new ApiError(422, [{ ...at('/data/attributes/email'), text }]);
  expect(error.message).toBe(`${text} (Say who.)`);
  expect(problemsByField(error, () => true).fields).toEqual({ email: error.message });
});

it.each([
  ['no answer', new ApiError(0, [])],
  ['an answer that names no problem', new ApiError(502, [])],
  ['a failure of the page itself', new Error('broken')],
])('%s is shown as well', (_what, error) => {
  expect(problemsByField(error, () => true).others).toHaveLength(1);
});
