import { expect, it } from 'vitest';
import { ApiError } from '../../../api/errors.ts';
import { explainedCodeOf } from './explained-code.ts';

it.each([
  [422, 'refund_key_reused', 'refund_key_reused'],
  [404, 'relationship_not_found', 'relationship_not_found'],
  [403, 'merchant_banned', 'merchant_banned'],
  [429, 'any', 'rate_limited'],
  [422, 'new_code', undefined],
])('a refusal with %i %s is explained as %s', (status, code, expected) => {
  const error = new ApiError(status, [{ status: String(status), code, title: 'x' }]);
  expect(explainedCodeOf(error)).toBe(expected);
});
