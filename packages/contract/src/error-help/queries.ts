import type { ErrorHelp } from './error-help.ts';

/** Errors of query parameters. */
export const queryErrors = {
  unknown_parameter: {
    title: 'Unknown query parameter',
    cause: 'The URL has a query parameter that this operation does not know.',
    fix: 'Check the spelling and the brackets. Lists accept `filter`, `sort`, `page`, `include` and `fields`.',
    example: {
      request: { method: 'GET', path: '/v2/customers?limit=10' },
      detail:
        'This address has no parameter `limit`. Accepted: fields, include, sort, filter, page.',
      source: { parameter: 'limit' },
    },
  },
  invalid_include: {
    title: 'Unknown include path',
    cause: 'A path of `include` contains a name that is not a relationship of the type.',
    fix: 'Use the relationships that `detail` lists, joined with dots. The page of the type lists them too.',
    example: {
      request: { method: 'GET', path: '/v2/refund_demands?include=payment' },
      detail:
        'payment cannot be included: refund_demands has no relationship `payment`; the nearest is `payment_demand`. Accepted: merchant, payment_demand.',
      source: { parameter: 'include' },
    },
  },
  invalid_sort: {
    title: 'Unknown sort field',
    cause: 'A key of `sort` is not a sortable field, or leads over a relationship to many records.',
    fix: 'Use a field that `detail` lists. A minus before the name sorts in descending order: `sort=-created_at`.',
    example: {
      request: { method: 'GET', path: '/v2/permissions?sort=date' },
      detail:
        'permissions has no sort key `date`; the nearest is `updated_at`. Accepted: id, slug, description, created_at, updated_at.',
      source: { parameter: 'sort' },
    },
  },
  invalid_fields: {
    title: 'Unknown field',
    cause:
      'A parameter `fields[TYPE]` names an unknown type, or a field that the type does not have.',
    fix: 'Use the names that `detail` lists. Write one parameter for each type: `fields[customers]=email,name`.',
    example: {
      request: { method: 'GET', path: '/v2/permissions?fields[permissions]=name' },
      detail:
        'permissions has no field `name`; the nearest is `merchant_tokens`. Accepted: slug, description, created_at, updated_at, merchant_tokens.',
      source: { parameter: 'fields[permissions]' },
    },
  },
  invalid_filter: {
    title: 'Unknown filter',
    cause:
      'A parameter `filter[…]` names an unknown field, or an operator that does not suit the type of the field.',
    fix: 'Use the names that `detail` lists. Operators follow the name, such as `filter[created_at_gte]`.',
    example: {
      request: { method: 'GET', path: '/v2/permissions?filter[name]=customers' },
      detail:
        'permissions has no filter `name`; the nearest is `merchant_tokens`. Accepted: id, slug, description, created_at, updated_at, merchant_tokens.',
      source: { parameter: 'filter[name]' },
    },
  },
  invalid_page: {
    title: 'Invalid page parameters',
    cause: 'A page parameter is unknown, beyond its limit, or cannot be combined with another one.',
    fix: 'Use one style: `size` and `number`, or `limit` and `offset`, or `after` and `before`. To read long lists, follow `links.next`.',
    example: {
      request: { method: 'GET', path: '/v2/customers?page[size]=1000' },
      detail: 'A page can have at most 500 records.',
      source: { parameter: 'page[size]' },
      meta: { limit: 500, page: { maxSize: 500 } },
    },
  },
  invalid_cursor: {
    title: 'The cursor cannot be used here',
    cause:
      'The cursor of `page[after]` or `page[before]` was changed, or belongs to another list or another order.',
    fix: 'Follow `links.next` and `links.prev` of the response. Do not build cursors, and do not change `sort` in between.',
    example: {
      request: { method: 'GET', path: '/v2/customers?page[after]=abc' },
      detail:
        'The cursor does not fit this list. Take cursors from the links of this list, with the same sort.',
      source: { parameter: 'page[after]' },
    },
  },
  query_too_costly: {
    title: 'The query is too costly',
    cause:
      'The query has too many parameters, sort keys, filters or relationships, no index serves it, or the database needed too long for it.',
    fix: 'Ask for less in one request: fewer includes, fewer filters, no `page[total]`. `meta.without_index` names parameters that no index serves: filter by `created_at`, so that fewer records are left.',
    example: {
      request: {
        method: 'GET',
        path: '/v2/customers?sort=id,name,email,phone_number,created_at,updated_at',
      },
      detail: 'A sort can have at most 5 keys.',
      source: { parameter: 'sort' },
      meta: { limit: 5 },
    },
  },
} as const satisfies Record<string, ErrorHelp>;
