import { expect, it } from 'vitest';
import german from '../i18n/de/problems.json' with { type: 'json' };
import { addTexts } from './problem-texts.ts';

const problem = {
  status: '422',
  code: 'blank',
  title: "can't be blank",
  detail: '`name` is blank.',
};

const texts = { byCode: german, ofDetail: () => undefined };

it('a problem gets the text of its code, and keeps a detail that says more', () => {
  const invalid = { ...problem, code: 'invalid' };
  expect(addTexts([invalid], texts)).toEqual([{ ...invalid, text: german.invalid }]);
  const { detail: _detail, ...rest } = problem;
  expect(addTexts([problem], texts)).toEqual([{ ...rest, text: 'Füllen Sie dieses Feld aus.' }]);
});

it('a problem of a newer server stays as it is', () => {
  const unknown = { ...problem, code: 'of_a_newer_server' };
  expect(addTexts([unknown], texts)).toEqual([unknown]);
});

it('a problem with a known detail gets the sentence of the detail alone', () => {
  const ofDetail = (detail: string) => (detail === problem.detail ? 'Der Name fehlt.' : undefined);
  const { detail: _detail, ...rest } = problem;
  expect(addTexts([problem], { byCode: german, ofDetail })).toEqual([
    { ...rest, text: 'Der Name fehlt.' },
  ]);
});
