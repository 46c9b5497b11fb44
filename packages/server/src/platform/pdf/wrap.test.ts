import { expect, it } from 'vitest';
import { wrapText } from './wrap.ts';

const widthOf = (text: string): number => [...text].length;

it.each([
  ['Roses are red', 9, ['Roses are', 'red']],
  ['Rosenstrauß', 5, ['Rosen', 'strau', 'ß']],
  ['a Rosenstrauß b', 5, ['a Ros', 'enstr', 'auß b']],
  ['請求書 お支払い', 3, ['請求書', 'お支払', 'い']],
  ['one\ntwo', 9, ['one', 'two']],
  ['', 9, ['']],
])('%j in lines of %i', (text, width, lines) => {
  expect(wrapText(text, width, widthOf)).toEqual(lines);
});
