import { describe, expect, it } from 'vitest';
import { AUTHORISATIONS_MAX, authorisationId, lastNumberOf } from './attempt-id.ts';

const payment_id = '01935f00-0000-7000-8000-00000000000a';
const random_id = '01935f00-0000-7000-8000-0000000000ff';
const idsOf = (...numbers: number[]) => numbers.map((n) => authorisationId(payment_id, n));

describe('the number of the last authorisation', () => {
  it.each<[string, readonly string[], number]>([
    ['no attempt', [], 0],
    ['all attempts', idsOf(2, 1, 3), 3],
    ['an attempt without those before it', idsOf(2), 2],
    ['attempts with a gap', idsOf(1, 7), 7],
    ['attempts of old releases', [random_id, ...idsOf(2)], 2],
    ['the highest number', idsOf(AUTHORISATIONS_MAX), AUTHORISATIONS_MAX],
  ])('follows from %s', (_, ids, number) => {
    expect(lastNumberOf(payment_id, ids)).toBe(number);
  });
});
