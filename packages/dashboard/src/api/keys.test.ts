import { describe, expect, it } from 'vitest';
import { ApiError } from './errors.ts';
import { createSendKey } from './keys.ts';

const refused = new ApiError(422, []);
const busy = new ApiError(429, []);
const lostAnswer = new ApiError(0, [], { was_unanswered: true });
const busyAfterLoss = new ApiError(429, [], { was_unanswered: true });
const broken = new ApiError(500, []);
const usedKey = new ApiError(409, [{ status: '409', code: 'idempotency_conflict', title: '' }]);

describe('the idempotency key of a send', () => {
  it.each([
    ['is another one after a refusal', [refused], true],
    ['is another one after a refusal for now', [busy], true],
    ['stays where no answer came', [lostAnswer], false],
    ['stays where a refusal for now follows a try without an answer', [busyAfterLoss], false],
    ['stays where the server broke', [broken], false],
    ['stays at all refusals after a try without an answer', [lostAnswer, refused, busy], false],
    ['is another one once it was said that it was used', [lostAnswer, usedKey], true],
  ] as const)('%s', (_what, errors, isOther) => {
    const key = createSendKey();
    const before = key.current();
    for (const error of errors) key.failed(error);
    expect(key.current() !== before).toBe(isOther);
  });

  it('changes after a write has succeeded, so that the next one can be refused again', () => {
    const key = createSendKey();
    key.failed(lostAnswer);
    key.done();
    const before = key.current();
    key.failed(refused);
    expect(key.current()).not.toBe(before);
  });
});
