import { expect, it } from 'vitest';
import { type RefundResult, withResult } from './use-refunds.ts';

const unanswered: RefundResult = { isDone: false, isRefused: false, error: 'no response' };
const refused: RefundResult = { isDone: false, isRefused: true, error: 'refused' };

it.each([
  ['a refusal', [refused], refused],
  ['a refusal after a request without a response', [unanswered, refused], { isRefused: false }],
  [
    'a success after a request without a response',
    [unanswered, { isDone: true }],
    { isDone: true },
  ],
] as const)('%s is kept', (_what, sent, kept) => {
  const none: ReadonlyMap<string, RefundResult> = new Map();
  const results = sent.reduce((before, result) => withResult(before, 'a payment', result), none);
  expect(results.get('a payment')).toMatchObject(kept);
});
