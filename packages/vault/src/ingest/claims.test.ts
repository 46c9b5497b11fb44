import { expect, test } from 'vitest';
import { VaultRefusal } from '../kernel/errors.ts';
import { checkSeal } from './claims.ts';

const IAT = 1_800_000_000;
const claims = { jti: 'a-random-identifier', iat: IAT, exp: IAT + 300 };

function outcomeAt(seconds: number, change: Record<string, unknown> = {}): string {
  try {
    checkSeal('pan_jwe', { ...claims, ...change }, 'sid', seconds * 1000);
    return 'ok';
  } catch (error) {
    return error instanceof VaultRefusal ? error.code : String(error);
  }
}

test.each<[string, number, string]>([
  ['just more than a minute before its time', IAT - 61, 'sealed_card_expired'],
  ['a minute before its time', IAT - 60, 'ok'],
  ['a minute after its time', IAT + 360, 'ok'],
  ['just more than a minute after its time', IAT + 361, 'sealed_card_expired'],
])('a sealed value %s: %d gives %s', (_name, now, outcome) => {
  expect(outcomeAt(now)).toBe(outcome);
});

test.each<[string, Record<string, unknown>]>([
  ['lives longer than 300 seconds', { exp: IAT + 301 }],
  ['ends before it begins', { exp: IAT }],
  ['has times that are no numbers', { iat: String(IAT) }],
  ['has a time that is not finite', { exp: Number.NaN }],
  ['has a short id', { jti: 'short' }],
])('a sealed value that %s is unreadable', (_name, change) => {
  expect(outcomeAt(IAT, change)).toBe('sealed_card_unreadable');
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
