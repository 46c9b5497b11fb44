import { defineResource, timestamps } from './define-resource.ts';

/** Seconds for which a rotated key works beside its successor: default and maximum. */
export const DEFAULT_OVERLAP_SECONDS = 24 * 3_600;
const OVERLAP_SECONDS_MAX = 7 * 24 * 3_600;

export const merchantTokens = defineResource({
  type: 'merchant_tokens',
  summary: 'An API key; its value is shown once, when it is made',
  owner: 'mode',
  few: 100,
  ended: 'expiry',
  group: 'user',
  operations: ['list', 'fetch', 'create', 'update'],
  actions: {
    revoke: {
      summary: 'Let the key expire now, for good',
      description: 'Requests with it are 401 from now on. One that has expired stays as it is.',
    },
    rotate: {
      summary: 'Make another key like this one, and let this one expire',
      description:
        'The answer is the new key, with its `token`: it has the name, permissions and origins of this one, and its `expiry`. This one expires when `overlap_seconds` have passed.',
      fields: {
        overlap_seconds: {
          type: 'integer',
          min: 0,
          max: OVERLAP_SECONDS_MAX,
          description: `For how long both work; ${DEFAULT_OVERLAP_SECONDS} where it is not set.`,
        },
      },
    },
  },
  fields: {
    name: {
      type: 'string',
      create: 'required',
      update: true,
      max: 100,
      description: 'What the key is for, so that people know it again.',
    },
    context: {
      type: 'enum',
      values: ['browser', 'secret'],
      create: 'required',
      description:
        '`secret` keys are for servers, `browser` keys (publishable) for the browser SDK.',
    },
    schema: {
      type: 'enum',
      values: ['live', 'sandbox'],
      create: 'optional',
      column: 'mode',
      always_set: true,
      description: 'The mode whose records the key sees; that of the key that makes it.',
    },
    origins: {
      type: 'strings',
      create: 'optional',
      update: true,
      default: [],
      max: 20,
      opaque: true,
      description:
        'Of a `browser` key: the origins whose pages may mount its form, such as `https://shop.example.com`; https, or http on the own machine, in the sandbox any http too. Where there are none, any page may in the sandbox, and none in live mode. A change holds within five seconds.',
    },
    token: {
      type: 'string',
      sensitive: true,
      shown_once: true,
      description:
        'The key itself, `ept_…`. Where the answer was lost the key is lost too: a repeat with the same `Idempotency-Key` does not show it. Revoke it and make another.',
    },
    expiry: {
      type: 'timestamp',
      create: 'optional',
      description:
        'From when on the key is refused; null for never. No later than that of the key that makes it, and now or before for one that was revoked.',
    },
    revoked_at: {
      type: 'timestamp',
      opaque: true,
      description:
        'When the key was revoked; null for a key that works, or that expired by itself.',
    },
    last_used_at: {
      type: 'timestamp',
      opaque: true,
      description: 'When it was last used, to the minute; null where it never was.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    processor_detail: { to: 'processor_details', create: 'optional' },
    permissions: {
      to: 'permissions',
      many: true,
      through: {
        table: 'merchant_token_permissions',
        from: 'merchant_token_id',
        to: 'permission_id',
      },
      create: 'optional',
    },
  },
});
