import type { ProblemError } from '@florin/contract/errors.ts';
import type { Mode } from '@florin/contract/protocol/vault.ts';
import { describe, expect, it } from 'vitest';
import { checkFields, type FieldValues, type StoredFields } from './fields.ts';

const metadata = {
  display_name: 'Example',
  fields: [
    { name: 'merchant', label: 'Merchant', help: '', secret: false, required: true },
    {
      name: 'prefix',
      label: 'Prefix',
      help: '',
      secret: false,
      required: false,
      pattern: /[a-z0-9]+/,
      example: 'ab12',
    },
    { name: 'api_key', label: 'Key', help: '', secret: true, required: true },
    {
      name: 'hmac_key',
      label: 'HMAC',
      help: '',
      secret: true,
      required: false,
      pattern: /[0-9A-F]+/,
    },
    {
      name: 'mode_key',
      label: 'Key of a mode',
      help: '',
      secret: true,
      required: false,
      mode_patterns: { live: /live_[a-z]+/, sandbox: /test_[a-z]+/ },
    },
  ],
} as const;
const valid: FieldValues = { settings: { merchant: 'Shop' }, secrets: { api_key: 'sk_12345678' } };

const refusalOf = (
  values: Partial<FieldValues>,
  stored?: StoredFields,
  mode: Mode = 'live',
): string => {
  try {
    checkFields(metadata, mode, { settings: {}, secrets: {}, ...values }, stored);
    return 'accepted';
  } catch (error) {
    return (error as ProblemError).problems.map(({ detail }) => detail).join(' ');
  }
};

describe('the fields of an account', () => {
  it('are accepted and separated', () => {
    expect(checkFields(metadata, 'live', valid)).toEqual(valid);
  });

  it.each<[string, Partial<FieldValues>, RegExp]>([
    [
      'a missing setting',
      { secrets: valid.secrets },
      /^settings\.merchant is required: Example needs it\.$/,
    ],
    ['a missing secret', { settings: valid.settings }, /^secrets\.api_key is required/],
    [
      'an unknown setting',
      { ...valid, settings: { ...valid.settings, colour: 'red' } },
      /settings\.colour is not a field of this processor\. The fields of settings are merchant, prefix\./,
    ],
    [
      'a secret among the settings',
      { ...valid, settings: { merchant: 'Shop', api_key: 'sk_12345678' } },
      /settings\.api_key is in the wrong place: send it in secrets/,
    ],
    [
      'a value of another form',
      { ...valid, settings: { merchant: 'Shop', prefix: 'https://x' } },
      /settings\.prefix does not have the form that the processor uses, such as ab12\./,
    ],
    [
      'a value that is no text',
      { ...valid, settings: { merchant: 7 } },
      /settings\.merchant must be a text/,
    ],
    [
      'a short secret',
      { ...valid, secrets: { api_key: 'short' } },
      /secrets\.api_key must have at least 8/,
    ],
    [
      'a secret of another form',
      { ...valid, secrets: { api_key: 'sk_12345678', hmac_key: 'not-hexadecimal' } },
      /secrets\.hmac_key does not have the form that the processor uses\./,
    ],
    [
      'a removed required secret',
      { ...valid, secrets: { api_key: null } },
      /secrets\.api_key is required/,
    ],
  ])('%s is named', (_, values, expected) => {
    expect(refusalOf(values)).toMatch(expected);
  });

  it('a secret with a form of its own may be short', () => {
    const secrets = { api_key: 'sk_12345678', hmac_key: 'AB12' };
    expect(refusalOf({ ...valid, secrets })).toBe('accepted');
  });

  it('a refusal never repeats a value', () => {
    const secret = 'sk_live_zzzzzzzzzzzz';
    expect(
      refusalOf({ ...valid, secrets: { api_key: 'sk_12345678', hmac_key: secret } }),
    ).not.toContain(secret);
  });

  it('a change keeps what is stored', () => {
    const stored = { settings: { merchant: 'Shop', prefix: 'a1' }, secret_names: ['api_key'] };
    expect(
      checkFields(metadata, 'live', { settings: { prefix: null }, secrets: {} }, stored),
    ).toEqual({
      settings: { merchant: 'Shop' },
      secrets: {},
    });
    expect(refusalOf({ settings: { merchant: 'Other' } }, { ...stored, secret_names: [] })).toMatch(
      /^secrets\.api_key is required/,
    );
  });
});

describe('a secret that shows its mode', () => {
  it.each<[string, Mode, string]>([
    ['live_abcd', 'live', 'accepted'],
    ['test_abcd', 'sandbox', 'accepted'],
    ['test_abcd', 'live', 'secrets.mode_key is of sandbox mode. The account is of live mode.'],
    ['live_abcd', 'sandbox', 'secrets.mode_key is of live mode. The account is of sandbox mode.'],
    ['other_abcd', 'live', 'secrets.mode_key does not have the form that the processor uses.'],
  ])('%s for an account of %s mode: %s', (mode_key, mode, expected) => {
    const values = { ...valid, secrets: { ...valid.secrets, mode_key } };
    expect(refusalOf(values, undefined, mode)).toBe(expected);
  });
});
