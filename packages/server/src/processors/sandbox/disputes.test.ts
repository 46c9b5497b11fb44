import { expect, it } from 'vitest';
import { createDisputes } from './disputes.ts';

const { respond } = createDisputes('http://127.0.0.1:4100');

it.each([
  ['of the dispute', 'dispute-1', 'acknowledged'],
  ['of another message', 'dispute-2', 'unknown'],
])('an answer %s to a dispute response is %s: %s', (_, reference, expected) => {
  const answer = { outcome: 'answered', status: 200, body: { reference, status: 'won' } } as const;
  expect(respond.mapAnswer(answer, 'dispute-1').result).toBe(expected);
});
