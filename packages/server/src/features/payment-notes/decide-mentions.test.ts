import { describe, expect, it } from 'vitest';
import { mentionedIn } from './decide-mentions.ts';

const labels = ['Ann', 'Ann Lee', 'José Núñez', 'grace@example.com', 'Sam', 'SAM'];
const members = labels.map((label, at) => ({
  membership_id: String(at),
  account_id: String(at),
  email: 'x',
  label,
}));
const mentionedLabels = (text: string) => mentionedIn(text, members).map(({ label }) => label);

describe('the members that a note mentions', () => {
  it.each([
    ['Ask Ann', []],
    ['@Ann, please look', ['Ann']],
    ['@ann lee', ['Ann Lee']],
    ['@Ann Lee and @Ann', ['Ann', 'Ann Lee']],
    ['@Annette', []],
    ['for @José Núñez.', ['José Núñez']],
    ['@grace@example.com?', ['grace@example.com']],
    ['twice @Ann @Ann', ['Ann']],
    ['@Sam', ['Sam', 'SAM']],
    ['@', []],
  ])('in %j are %j', (text, expected) => {
    expect(mentionedLabels(text)).toEqual(expected);
  });
});
