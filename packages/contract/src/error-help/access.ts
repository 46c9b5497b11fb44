import { refusals } from '../merchant-status.ts';
import type { ErrorHelp } from './error-help.ts';

const UNKNOWN_ID = '01935f00-0000-7000-8000-000000000000';

/** Errors of the key, of the merchant's status, of addresses and records, and of the server. */
export const accessErrors = {
  unauthorized: {
    title: 'Unauthorized',
    cause: 'The request has no API key, or a key that is malformed, unknown, expired or revoked.',
    fix: 'Send `Authorization: Bearer` and the key. Check that the key was copied completely and belongs to this server.',
    example: {
      request: { method: 'GET', path: '/v2/customers', headers: { authorization: null } },
      detail: 'Send the header Authorization: Bearer <secret key>.',
      source: { header: 'Authorization' },
    },
  },
  forbidden: {
    title: 'Forbidden',
    cause:
      'The key is valid, but does not have the permission for this operation. Publishable keys have few permissions.',
    fix: 'Use the secret key on your server. Or create a key with the permission of `meta.required_permission`, under Developers in the dashboard.',
    example: {
      detail:
        'Token does not have permission to access customers. Required: consumer.customers.read.',
      meta: {
        required_permission: 'consumer.customers.read',
        hint: 'Publishable keys cannot call the API. Send the request from your server, with the secret key.',
      },
    },
  },
  merchant_not_approved: {
    title: 'The merchant is not approved yet',
    cause:
      'The request needs live mode, and the operator has not approved the merchant for live payments yet.',
    fix: 'Complete the application in the dashboard, and wait for the approval. Until then, use sandbox keys.',
    example: { detail: refusals.unapproved.detail },
  },
  merchant_quarantined: {
    title: 'The merchant is quarantined',
    cause:
      'The operator has stopped new payments of this merchant, for a reason that an account alert states.',
    fix: 'Read `account_alerts` and `red_flags`, and contact the operator. Refunds, voids and dispute responses still work.',
    example: { detail: refusals.quarantined.detail },
  },
  merchant_banned: {
    title: 'The merchant is banned',
    cause:
      'The operator has banned the merchant. Payments, refunds and the reasons of the ban can still be read.',
    fix: 'Read `account_alerts` and `merchant_punitive_actions`, and contact the operator.',
    example: { detail: refusals.banned.detail },
  },
  raw_card_data_forbidden: {
    title: 'Card data is not accepted here',
    cause:
      'The request contains a card number or a verification value. Florin refuses the request before it stores or logs any of it.',
    fix: 'Collect cards with the browser SDK or a payment link, and send the token. Sandbox tests can use a test token such as `pan_test_visa`.',
    example: {
      detail:
        'The request contains a card number or security code, and was not read further. Use the browser SDK, which encrypts cards for the vault.',
      source: { pointer: '/data/attributes/description' },
      meta: { hint: 'In the sandbox, use a test token such as pan_test_visa.' },
    },
  },
  not_found: {
    title: 'Not found',
    cause:
      'The URL does not exist, or no record with this id exists for the key. Records of the other mode and of other merchants are not visible.',
    fix: 'Check the path and the id. Check that the key has the mode in which the record was created.',
    example: {
      request: { method: 'GET', path: `/v2/customers/${UNKNOWN_ID}` },
      detail:
        'No record with this id is visible to the token. Check the id and the mode of the key.',
    },
  },
  relationship_not_found: {
    title: 'Relationship not found',
    cause:
      'A relationship names a record that does not exist for this key, is discarded, or that the key may not use.',
    fix: 'Check the id at `source.pointer`, its mode, and the permissions of the key.',
    example: {
      request: {
        method: 'POST',
        path: '/v2/sandbox_clocks',
        body: {
          data: {
            type: 'sandbox_clocks',
            relationships: { customer: { data: { type: 'customers', id: UNKNOWN_ID } } },
          },
        },
      },
      detail: 'The record in customer does not exist, is discarded, or is not visible to this key.',
      source: { pointer: '/data/relationships/customer' },
    },
  },
  invalid_state: {
    title: 'Not possible in this state',
    cause: 'The record exists, but its current state does not allow this change.',
    fix: 'Fetch the record, and decide by its state. `meta.allowed_actions` lists the actions that are possible now.',
    example: {
      detail:
        'This payment demand is succeeded, which does not allow confirm. No action is possible in this state.',
      meta: { allowed_actions: [], state: 'succeeded' },
    },
  },
  live_rights_required: {
    title: 'The change needs live mode',
    cause:
      'The attribute is the same in both modes, such as the name of the business. A sandbox key cannot change it.',
    fix: 'Use a live secret key, or sign in as a member with live mode. The sandbox has its own settings of payments and subscriptions.',
    example: {
      detail:
        'business_name is the same in both modes. Use a live key, or sign in as a member with live mode.',
      source: { pointer: '/data/attributes/business_name' },
    },
  },
  mode_mismatch: {
    title: 'The mode does not match the key',
    cause: 'The document names `live` or `sandbox`, and the key belongs to the other mode.',
    fix: 'Use a key of the mode that you want, or leave the attribute out.',
    example: {
      request: {
        method: 'POST',
        path: '/v2/webhook_subscriptions',
        body: {
          data: {
            type: 'webhook_subscriptions',
            attributes: { url: 'http://localhost:3000/hooks', events: ['*'], mode: 'live' },
          },
        },
      },
      detail:
        'This key has sandbox mode, so its webhook subscriptions receive sandbox events. Leave mode out.',
      source: { pointer: '/data/attributes/mode' },
    },
  },
  rate_limited: {
    title: 'Too many requests',
    cause:
      'The key, the merchant or the IP address sent more requests than its limit allows. `meta.policy` names the limit.',
    fix: 'Wait as many seconds as `Retry-After` says, then send the request again. Read `RateLimit` to slow down in time.',
    example: {
      detail: 'This key sent too many requests. Try again in 2 s.',
      meta: { policy: 'default', quota: 25_000, window_seconds: 5, retry_after_seconds: 2 },
    },
  },
  internal: {
    title: 'Internal error',
    cause:
      'Florin failed unexpectedly. The operator finds the reason in the log by the `X-Request-Id` of the response.',
    fix: 'Send the request again, with the same idempotency key. If it fails again, give the operator the request id.',
    example: {
      detail: 'Florin could not complete the request. Send it again with the same idempotency key.',
    },
  },
  overloaded: {
    title: 'The server is overloaded',
    cause:
      'More requests wait than the limit that `detail` and `meta` name. The merchant with the most is refused; `of_owner` says how many of its requests wait. Outside the API, such as at the card form, no limit is named. The refused request had no effect.',
    fix: 'Wait as many seconds as `Retry-After` says, and send the request again with the same idempotency key. Send fewer requests at once.',
    example: {
      detail:
        'At most 4096 such requests may wait at this server, and this merchant has the most: 4001. Send fewer at once, and try again in a moment.',
      meta: { limit: 'waiting', max: 4096, of_owner: 4001 },
    },
  },
  unavailable: {
    title: 'Temporarily unavailable',
    cause:
      'The database or the vault does not respond. `detail` says which of them, and why, where this is known.',
    fix: 'Wait as many seconds as `Retry-After` says, and send the request again with the same idempotency key.',
    example: { detail: 'The database cannot be reached. Try again in a moment.' },
  },
} as const satisfies Record<string, ErrorHelp>;
