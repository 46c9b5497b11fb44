import { expect, it } from 'vitest';
import { checkFailure } from './check.ts';

it.each([
  [{ result: 'accepted' }, undefined],
  [
    { result: 'refused', why: 'the key is wrong' },
    'Example Pay refused the credentials: the key is wrong.',
  ],
  [
    { result: 'unknown', why: 'It answered 500.' },
    'Example Pay could not be asked: It answered 500.',
  ],
  [{ result: 'not_sent', why: 'timeout' }, 'Example Pay could not be asked: timeout.'],
] as const)('a check with %j is told in a sentence', (check, sentence) => {
  expect(checkFailure('Example Pay', check)).toBe(sentence);
});
