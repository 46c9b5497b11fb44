import type { ErrorHelp, ExampleRequest } from './error-help.ts';

const creating = (type: string, attributes: object): ExampleRequest => ({
  method: 'POST',
  path: `/v2/${type}`,
  body: { data: { type, attributes } },
});

const EMAIL = 'ada@example.com';

/** Errors of single attributes and relationships of a document. */
export const valueErrors = {
  blank: {
    title: 'A value is missing',
    cause: 'A required attribute or relationship is missing, null or empty.',
    fix: 'Send a value for the member at `source.pointer`. One response lists all missing members.',
    example: {
      request: creating('customers', { name: 'Ada Lovelace' }),
      detail: 'email must have a value.',
      source: { pointer: '/data/attributes/email' },
    },
  },
  invalid: {
    title: 'The value is invalid',
    cause:
      'The value has the wrong JSON type or the wrong format, such as text in a number or an incomplete email address.',
    fix: 'Send the format that `detail` names. The page of the resource type describes each attribute.',
    example: {
      request: creating('customers', { email: 'ada' }),
      detail: 'email must be an email address, such as name@example.com.',
      source: { pointer: '/data/attributes/email' },
    },
  },
  too_short: {
    title: 'The value is too short',
    cause: 'The text has fewer characters, or the list fewer items, than the attribute needs.',
    fix: 'Send a longer value. `detail` and `meta.limit` name the minimum.',
    example: {
      detail: 'A password must have at least 12 characters.',
      source: { pointer: '/password' },
    },
  },
  too_long: {
    title: 'The value is too long',
    cause: 'The text has more characters, or the list more items, than the attribute allows.',
    fix: 'Shorten the value. `meta.limit` is the maximum.',
    example: {
      request: creating('consumer_addresses', {
        line_1: '12 Analytical Row',
        city: 'London',
        state: 'London',
        zip: 'NW1 6XE, near the old railway station',
        country: 'GBR',
      }),
      detail: 'zip must have at most 20 characters.',
      source: { pointer: '/data/attributes/zip' },
      meta: { limit: 20 },
    },
  },
  too_few_characters: {
    title: 'The text has fewer than 10 characters',
    cause:
      'The attribute needs a text of at least 10 characters. The description of a webhook subscription is an example.',
    fix: 'Write a text that a person can recognise later, of at least 10 characters.',
    example: {
      request: creating('webhook_subscriptions', {
        url: 'http://localhost:3000/hooks',
        events: ['*'],
        description: 'Orders',
      }),
      detail: 'description must have at least 10 characters.',
      source: { pointer: '/data/attributes/description' },
      meta: { limit: 10 },
    },
  },
  too_few_items: {
    title: 'The list is empty',
    cause: 'The attribute is a list that needs at least one item.',
    fix: 'Send at least one item.',
    example: {
      request: creating('webhook_subscriptions', {
        url: 'http://localhost:3000/hooks',
        events: [],
      }),
      detail: 'events must have at least 1 item.',
      source: { pointer: '/data/attributes/events' },
      meta: { limit: 1 },
    },
  },
  too_small: {
    title: 'The number is too small',
    cause:
      'The number is below the minimum of the attribute. Amounts have a minimum for each currency.',
    fix: 'Send a number of at least `meta.limit`. Amounts are in minor units, such as cents.',
    example: {
      request: creating('payment_demands', { amount_cents: 1, amount_currency: 'USD' }),
      detail: 'amount_cents must be at least 10.',
      source: { pointer: '/data/attributes/amount_cents' },
      meta: { limit: 10 },
    },
  },
  too_large: {
    title: 'The number is too large',
    cause:
      'The number is above the maximum of the attribute. The operator and the merchant can set a maximum amount.',
    fix: 'Send a number of at most `meta.limit`. Amounts are in minor units, such as cents.',
    example: {
      request: creating('payment_demands', {
        amount_cents: 1_000_000_000_000,
        amount_currency: 'USD',
      }),
      detail: 'amount_cents must be at most 999999999999.',
      source: { pointer: '/data/attributes/amount_cents' },
      meta: { limit: 999_999_999_999 },
    },
  },
  over_limit: {
    title: 'The number is greater than 100',
    cause: 'The attribute accepts at most 100, such as a percentage.',
    fix: 'Send a number of at most 100.',
    example: {
      request: creating('webhook_subscriptions', {
        url: 'http://localhost:3000/hooks',
        events: ['*'],
        concurrency_limit: 500,
      }),
      detail: 'concurrency_limit must be at most 100.',
      source: { pointer: '/data/attributes/concurrency_limit' },
      meta: { limit: 100 },
    },
  },
  not_in_list: {
    title: 'The value is not in the list',
    cause: 'The attribute accepts only the values of a list, and the value is not one of them.',
    fix: 'Send one of the values that `detail` names. The page of the resource type has the whole list.',
    example: {
      request: creating('webhook_subscriptions', {
        url: 'http://localhost:3000/hooks',
        events: ['*'],
        ordering: 'strict',
      }),
      detail: 'ordering must be one of none, resource.',
      source: { pointer: '/data/attributes/ordering' },
    },
  },
  invalid_phone: {
    title: 'The telephone number is invalid',
    cause: 'The value is not a telephone number in international format.',
    fix: 'Send a plus, the country code and the number, such as `+442071234567`.',
    example: {
      request: creating('customers', { email: EMAIL, phone_number: '12' }),
      detail:
        'phone_number must be a telephone number with + and the country code, such as +442071234567.',
      source: { pointer: '/data/attributes/phone_number' },
    },
  },
  invalid_region: {
    title: 'The country has no such state',
    cause: 'For the USA and Canada, `state` must be a code or a name of their lists.',
    fix: 'Send a code such as `CA`, or the full name such as `California`. Check `country` as well.',
    example: {
      request: creating('consumer_addresses', {
        line_1: '1 Market Street',
        city: 'San Francisco',
        state: 'Bavaria',
        zip: '94105',
        country: 'USA',
      }),
      detail: 'state must be a state of USA: its name, or its ISO 3166-2 code without the country.',
      source: { pointer: '/data/attributes/state' },
    },
  },
  unknown_attribute: {
    title: 'Unknown attribute',
    cause: 'The document contains an attribute that the type does not have.',
    fix: 'Check the spelling. `detail` lists the attributes that can be set; use `metadata` for data of your own.',
    example: {
      request: creating('customers', { email: EMAIL, nickname: 'Ada' }),
      detail:
        'customers has no attribute `nickname`; the nearest is `name`. Accepted: email, name, phone_number, description, locale, metadata.',
      source: { pointer: '/data/attributes/nickname' },
    },
  },
  read_only: {
    title: 'The member is read-only',
    cause:
      'The document sets a member that clients cannot set, or repeats it with another value than the record has.',
    fix: 'Leave the member out. Actions change states: a refund, for example, is a `refund_demands` record.',
    example: {
      request: creating('customers', { email: EMAIL, blocked_at: '2026-01-01T00:00:00Z' }),
      detail: 'blocked_at cannot be set by clients. Leave it out.',
      source: { pointer: '/data/attributes/blocked_at' },
    },
  },
  unknown_relationship: {
    title: 'Unknown relationship',
    cause: 'The document contains a relationship that the type does not have.',
    fix: 'Check the spelling. `detail` lists the relationships of the type.',
    example: {
      request: {
        method: 'POST',
        path: '/v2/sandbox_clocks',
        body: {
          data: {
            type: 'sandbox_clocks',
            relationships: {
              client: { data: { type: 'customers', id: '01935f00-0000-7000-8000-000000000000' } },
            },
          },
        },
      },
      detail:
        'sandbox_clocks has no relationship `client`; the nearest is `merchant`. Accepted: merchant, customer.',
      source: { pointer: '/data/relationships/client' },
    },
  },
  immutable: {
    title: 'The record can no longer be changed',
    cause:
      'A payment already uses the record, or the record was archived. A change would alter the past.',
    fix: 'Create a new record with the new values, and use the new one from now on.',
    example: {
      detail: 'A payment uses this address, so it cannot change. Create a new address.',
      source: { pointer: '/data' },
    },
  },
  url_not_allowed: {
    title: 'The URL is not allowed',
    cause:
      'The URL has the wrong scheme, a user name or a fragment, or leads to a host that this mode does not allow. Live mode needs https and a public host.',
    fix: 'Send an https URL of a public host. The sandbox also accepts your own machine, unless the operator has switched that off.',
    example: {
      request: creating('webhook_subscriptions', {
        url: 'https://shop.example.com/hooks#orders',
        events: ['*'],
      }),
      detail: 'The URL of a webhook must not have a fragment.',
      source: { pointer: '/data/attributes/url' },
    },
  },
  limit_reached: {
    title: 'The limit of records is reached',
    cause: 'The merchant or the account already has as many records of this type as it may have.',
    fix: 'End records that you no longer need: archive, remove or revoke them. `meta.limit` is the limit.',
    example: {
      detail:
        'The maximum of 50 webhook subscriptions is reached. End one before you create another.',
      source: { pointer: '/data' },
      meta: { limit: 50 },
    },
  },
} as const satisfies Record<string, ErrorHelp>;
