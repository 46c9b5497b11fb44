import { defineResource, timestamps } from './define-resource.ts';

/** Seconds for which a rotated key works beside its successor: default and maximum. */
export const DEFAULT_OVERLAP_SECONDS = 24 * 3_600;
const OVERLAP_SECONDS_MAX = 7 * 24 * 3_600;

export const merchantTokens = defineResource({
  type: 'merchant_tokens',
  summary: 'An API key. The value is shown once, at creation',
  owner: 'mode',
  few: 100,
  ended: 'expiry',
  expires: true,
  group: 'user',
  operations: ['list', 'fetch', 'create', 'update'],
  actions: {
    revoke: {
      summary: 'Revoke the key immediately',
      description:
        'Requests with a revoked key get 401. You cannot undo this. An expired key does not change.',
    },
    rotate: {
      summary: 'Create a copy of the key, and let the old key expire',
      description:
        'The response is the new key with its `token`. The name, permissions, origins and `expiry` are those of the old key. The old key expires after `overlap_seconds`.',
      fields: {
        overlap_seconds: {
          type: 'integer',
          min: 0,
          max: OVERLAP_SECONDS_MAX,
          description: `Seconds in which both keys work. Default: ${DEFAULT_OVERLAP_SECONDS}.`,
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
      description: 'Purpose of the key, so that people recognise it.',
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
      description: 'Mode whose records the key sees; the mode of the key that creates it.',
    },
    origins: {
      type: 'strings',
      create: 'optional',
      update: true,
      default: [],
      max: 20,
      opaque: true,
      description:
        'For `browser` keys: the origins whose pages may show the form, such as `https://shop.example.com`. Live origins use https, or http on your own machine. The sandbox also allows other http. Without origins, any page may show the form in the sandbox, and none in live mode. A change applies within five seconds.',
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
        'Time from which the key is refused; null for never. The expiry cannot be later than that of the key that creates it. A revoked key has a past expiry.',
    },
    revoked_at: {
      type: 'timestamp',
      opaque: true,
      description: 'Time of revocation; null for a key that works or that expired.',
    },
    last_used_at: {
      type: 'timestamp',
      opaque: true,
      description: 'Time of the last use, to the minute; null if never used.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    creator: {
      to: 'memberships',
      description:
        'Member who is responsible for the key: who created or rotated it, or took it over. Null for keys of the installation. A key that a key creates has the creator of that key.',
    },
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
