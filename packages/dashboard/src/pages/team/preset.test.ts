import { roleSlugs } from '@florin/contract/roles.ts';
import { expect, it } from 'vitest';
import { changeOf, comparedSlugs, differenceFrom, presetSlugs } from './preset.ts';

const READ = 'transaction.payment_demands.read';
const REFUND = 'transaction.refund_demands.create';
const TEAM = 'user.memberships.update';

it.each([
  ['current', () => true, [TEAM]],
  ['none', () => true, []],
  ['support', (slug: string) => slug === READ || slug === TEAM, [READ]],
] as const)(
  'the preset %s has its permissions that the person may grant',
  (preset, isHeld, slugs) => expect(presetSlugs(preset, [TEAM], isHeld)).toEqual(slugs),
);

it.each([
  ['the role itself', roleSlugs('support'), { added: 0, removed: 0 }],
  ['a permission more', [...roleSlugs('support'), TEAM], { added: 1, removed: 0 }],
  [
    'another permission',
    [...roleSlugs('support').filter((slug) => slug !== REFUND), TEAM],
    { added: 1, removed: 1 },
  ],
])('a custom role with %s is compared with its preset', (_what, slugs, expected) =>
  expect(differenceFrom(roleSlugs('support'), slugs)).toEqual(expected),
);

it.each([
  ['current', [TEAM]],
  ['none', undefined],
  ['support', roleSlugs('support')],
] as const)('a role that starts from %s is compared with it', (preset, slugs) =>
  expect(comparedSlugs(preset, [TEAM])).toEqual(slugs),
);

it('a permission is marked only if it differs from the preset', () => {
  const marks = [true, false].map((isOn) => [true, false].map((wasOn) => changeOf(isOn, wasOn)));
  expect(marks).toEqual([
    [undefined, 'added'],
    ['removed', undefined],
  ]);
});
