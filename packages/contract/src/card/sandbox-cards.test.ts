import { expect, test } from 'vitest';
import { isValidCardNumber } from './card-number.ts';
import { brandOf } from './networks.ts';
import {
  sandboxCardByNumber,
  sandboxCardByToken,
  sandboxCards,
  sandboxCvv,
  sandboxNetworkTokens,
} from './sandbox-cards.ts';

test('there are nineteen cards, each with its own number and token', () => {
  expect(new Set(sandboxCards.map((card) => card.number)).size).toBe(19);
  expect(new Set(sandboxCards.map((card) => card.token)).size).toBe(19);
});

test.each([...sandboxCards, ...sandboxNetworkTokens])(
  '$token is a valid number of its brand and is found both ways',
  (card) => {
    expect(isValidCardNumber(card.number)).toBe(true);
    expect(brandOf(card.number)).toBe(card.brand);
    expect(sandboxCardByNumber(card.number)).toBe(card);
    expect(sandboxCardByToken(card.token)).toBe(card);
  },
);

test('the verification value has the length of the brand', () => {
  expect(sandboxCvv('amex')).toHaveLength(4);
  expect(sandboxCvv('visa')).toHaveLength(3);
});

test('a number is looked up whole, not by its first digits', () => {
  expect(sandboxCardByNumber('4444333322221111')?.token).toBe('pan_test_insufficient_funds');
  expect(sandboxCardByNumber('4444333322221111455')?.token).toBe('pan_test_visa_19');
});
