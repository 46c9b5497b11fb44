import { expect, test } from 'vitest';
import { VaultRefusal } from '../kernel/errors.ts';
import { checkSeal } from './claims.ts';
import type { SealedName } from './open-sealed.ts';

const IAT = 1_800_000_000;
const claims = { jti: 'a-random-identifier', iat: IAT, exp: IAT + 300 };

type Change = Readonly<Record<string, unknown>>;

function refusalAt(seconds: number, change: Change, name: SealedName): VaultRefusal | undefined {
  try {
    checkSeal(name, { ...claims, ...change }, 'sid', seconds * 1000);
  } catch (error) {
    if (error instanceof VaultRefusal) return error;
    throw error;
  }
  return undefined;
}

const outcomeAt = (seconds: number, change: Change = {}): string =>
  refusalAt(seconds, change, 'pan_jwe')?.code ?? 'ok';

test.each<[string, number, string]>([
  ['just more than a minute before its time', IAT - 61, 'sealed_card_expired'],
  ['a minute before its time', IAT - 60, 'ok'],
  ['a minute after its time', IAT + 360, 'ok'],
  ['just more than a minute after its time', IAT + 361, 'sealed_card_expired'],
])('a sealed value %s: %d gives %s', (_name, now, outcome) => {
  expect(outcomeAt(now)).toBe(outcome);
});

const seconds = 'a number of seconds since 1970';
const after = `must be ${seconds}, after \`iat\` by at most 300`;
const id = 'a text of 16 to 64 letters, digits, `-` and `_`';
test.each<[string, Change, string]>([
  ['lives longer than 300 seconds', { exp: IAT + 301 }, `\`exp\` ${after}`],
  ['ends before it begins', { exp: IAT }, `\`exp\` ${after}`],
  ['has times that are no numbers', { iat: String(IAT) }, `\`iat\` must be ${seconds}`],
  ['has no time', { iat: undefined }, `\`iat\` is missing. It must be ${seconds}`],
  ['has a time that is not finite', { exp: Number.NaN }, `\`exp\` ${after}`],
  ['has a short id', { jti: 'short' }, `\`jti\` must be ${id}`],
  ['has no id', { jti: undefined }, `\`jti\` is missing. It must be ${id}`],
])(
  'a sealed value that %s is refused; merchants learn the rule, forms do not',
  (_, change, rule) => {
    expect(refusalAt(IAT, change, 'network_token_jwe')).toMatchObject({
      code: 'network_token_unreadable',
      detail: `network_token_jwe: ${rule}.`,
    });
    expect(refusalAt(IAT, change, 'pan_jwe')).toMatchObject({
      code: 'sealed_card_unreadable',
      detail: 'pan_jwe is not a readable sealed card.',
    });
  },
);

test.each<[string, number, string]>([
  ['has expired', IAT + 361, '`exp` is in the past'],
  ['is dated in the future', IAT - 61, '`iat` must not be later than now'],
])('a sealed value that %s names the claim to merchants only', (fault, now, rule) => {
  const detailOf = (name: SealedName) => refusalAt(now, {}, name)?.detail;
  expect(detailOf('network_token_jwe')).toBe(`network_token_jwe ${fault}: ${rule}.`);
  expect(detailOf('pan_jwe')).toBe(`pan_jwe ${fault}.`);
});

test('a seal is stored until the last moment it could be opened', () => {
  const seal = checkSeal('pan_jwe', claims, 'sid', IAT * 1000);
  expect(seal).toEqual({
    jti: claims.jti,
    sid: 'sid',
    expires_at: new Date((IAT + 360) * 1000),
    replayedCode: 'sealed_card_replayed',
  });
});
