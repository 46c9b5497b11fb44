import { SET } from '@florin/contract/resources/define-resource.ts';
import { PREFIX_CHARACTERS } from '../long-text.ts';
import type { Model, Models } from '../model.ts';
import { CURSOR_PROFILE } from '../parse-query/cursor-profile.ts';
import {
  FILTER_VALUES_MAX,
  FILTERS_MAX,
  INCLUDE_DEPTH_MAX,
  INCLUDE_PATHS_MAX,
  LIKE_LENGTH_MAX,
  PAGE_OFFSET_MAX,
  PAGE_SIZE_DEFAULT,
  PAGE_SIZE_MAX,
  PATH_STEPS_MAX,
  SCANNED_MAX,
  STEPS_WEIGHT_MAX,
  TOTAL_MAX,
} from '../parse-query/limits.ts';
import type { Chapter } from './chapter.ts';
import { eventChapters } from './event-chapters.ts';

/** Chapters on topics beyond single operations. `base_url` is the origin of the API. */
export const chaptersOf = (models: Models, base_url: string): readonly Chapter[] => [
  ...requestChapters(models, base_url),
  ...responseChapters,
  ...eventChapters(models, base_url),
];

const requestChapters = (models: Models, base_url: string): readonly Chapter[] => [
  {
    id: 'requests',
    title: 'Requests',
    paragraphs: [
      'Every request sends a `User-Agent` that names the client, and a secret key. Documents are JSON:API 1.1 with the media type `application/vnd.api+json` in both directions. A body has at most 256 kB.',
      'Every GET also answers HEAD, and every address answers OPTIONS with `Allow`. PUT is another name for PATCH, and so is POST for actions. DELETE is 405: the interface deletes nothing. `/api/v2` and addresses without a version lead to `/v2` too.',
      'Card numbers and security codes are refused everywhere. The browser SDK encrypts them for the vault and returns tokens. In the sandbox, test tokens such as `pan_test_visa` stand for cards.',
    ],
    code: `curl -g ${base_url}/v2/customers \\
  -H "Authorization: Bearer $KEY" -H 'User-Agent: my-shop/1.0'`,
  },
  {
    id: 'keys',
    title: 'Keys, modes and permissions',
    paragraphs: [
      'A key `ept_sandbox_s…` or `ept_live_s…` is for servers. The mode of the key decides which records it sees. A publishable key, `ept_…_b…`, is for the browser SDK only.',
      'Without a valid key every operation answers 401 `unauthorized`. Unknown, expired and revoked keys get the same answer, so that nobody learns which keys exist. A valid key without the permission gets 403 `forbidden`, and so does every publishable key.',
      'The value of a key is in the response to its create only. If you lose that response, revoke the key and create another. A repeat of the request does not show the value.',
      'A key can be limited to permissions. `x-required-permission` of an operation names the permission that it needs. Types in `include`, filters and sorts need their `read` permission too. Records of another merchant answer 404.',
    ],
  },
  {
    id: 'live-mode',
    title: 'Live mode',
    paragraphs: [
      'Live mode takes cards after the operator has approved the merchant and enabled an account at a payment processor. Processors are experimental: nobody has tried them against the live services.',
      'Without an account, creates and confirmations of payments, subscriptions and payment links answer 422 `no_processor`. Changes of a subscription do too. Florin stores nothing. Forms and pages of links show a notice in place of card fields, and subscriptions wait.',
      'Everything else of live mode works: customers, addresses, webhooks, keys and members. You can prepare an integration.',
    ],
  },
  {
    id: 'paging',
    title: 'Pages',
    paragraphs: [
      `A list has ${PAGE_SIZE_DEFAULT} records, or as many as \`page[size]\` or \`page[limit]\` requests, at most ${PAGE_SIZE_MAX}. If there are more, \`links.next\` is the address of the next page.`,
      `There are three ways of paging, which cannot be combined: \`page[number]\` with \`page[size]\`; \`page[offset]\` with \`page[limit]\`; \`page[after]\` or \`page[before]\` with either size. The first two reach the first ${PAGE_OFFSET_MAX} records. Links use the third.`,
      `A client can request the profile \`${CURSOR_PROFILE}\` in its \`Accept\` header. Every record then has a cursor in \`meta.page.cursor\`. Links \`prev\` and \`next\` are null if they lead nowhere.`,
      `Lists are not counted. \`page[total]=true\` requests the number, in \`meta.total\` and \`meta.pagination.total\`. Beyond ${TOTAL_MAX}, both are that, with \`total_is_minimum: true\`.`,
      ...models.all.filter(({ resource }) => resource.unlisted).map(unlistedText),
    ],
  },
  {
    id: 'filtering',
    title: 'Filters, sorts, includes, fieldsets',
    paragraphs: [
      '`filter[status]=succeeded,failed` matches one of several values. `filter[payer]=<id>` matches a related record, and `filter[payer.email]=…` an attribute of it, over any relationships. A to-many step matches if one of its records does. All filters must match. Text is compared with upper and lower case. `null` matches a value that is not set; `\\,` is a comma within a value. A repeated filter is a list.',
      `\`filter[path][operator]\` compares with an operator: \`ne\`, \`in\`, \`null\`, and on numbers and times \`gt\`, \`gte\`, \`lt\` and \`lte\`. \`filter[created_at_gte]\` is another form. \`like\` finds text that contains the value, in any case. The value has at most ${LIKE_LENGTH_MAX} characters; \`%\` and \`_\` are ordinary characters.`,
      `A query can have at most ${FILTERS_MAX} filters, with ${FILTER_VALUES_MAX} values and ${PATH_STEPS_MAX} steps each. Filters, sorts and includes can use ${STEPS_WEIGHT_MAX} steps together. To-many steps and steps to accounts and permissions count double. \`page[total]\` doubles the steps of filters.`,
      `No index serves \`like\`, sorts over relationships, or by attributes that may be null or have few values. The same holds for most \`null\` and some \`ne\` filters. Beyond ${SCANNED_MAX} records they are 400 \`query_too_costly\`, except filters that fill their page from the first.`,
      `\`sort=-created_at,name\` sorts; the default is newest first. Long texts are sorted by their first ${PREFIX_CHARACTERS} characters. \`include=payer,payment_method.customer\` adds related records, with at most ${INCLUDE_DEPTH_MAX} steps a path. The maximum is ${INCLUDE_PATHS_MAX} paths, or the number of relationships of the type. \`fields[customers]=name,email\` limits the attributes. Includes and fields work on writes too.`,
      'Unknown names are 400, and values of the wrong kind 422, both with `source.parameter`. Nothing is ignored.',
    ],
    code: `curl -g '${base_url}/v2/payment_demands?filter[status]=succeeded&filter[payer.email]=ada@example.com&include=payer&sort=-amount_cents' \\
  -H "Authorization: Bearer $KEY" -H 'User-Agent: my-shop/1.0'`,
  },
  {
    id: 'relationships',
    title: 'Relationships',
    paragraphs: [
      '`/v2/<type>/{id}/relationships/<name>` returns the related record or records themselves, not only their identifiers. `links.self` and `links.related` of a relationship both lead there. A to-one relationship that is not set is `data: null` with status 200. `/v2/<type>/{id}/<name>` is the same address.',
      'To-many relationships have `data` only if they are included.',
    ],
  },
];

const responseChapters: readonly Chapter[] = [
  {
    id: 'idempotency',
    title: 'Idempotency',
    paragraphs: [
      'Send `Idempotency-Key` with a POST or PATCH, and the same request can be sent again after a lost response. Florin does it once and marks the repeat with `Idempotent-Replayed: true`. The same key with another request is 409 `idempotency_conflict`. The attribute `idempotency_key` of refunds answers 422 `refund_key_reused` there. A refused request does not use its key.',
      'A key belongs to one type, one mode and one kind of write. The same text can be a key for a customer and for a payment, for a create and for an update. Keys are kept for 30 days. Types with an attribute `idempotency_key` accept the key there too, for as long as the record exists.',
      'A repeat returns the current record, which may differ from the first response. For example, a `pending` payment may have succeeded.',
    ],
  },
  {
    id: 'saving',
    title: 'Saving whole records',
    paragraphs: [
      'A PATCH can send a whole record as it was read, with one attribute changed. Read-only members must be as the record has them: a different value is 422 `read_only` with its pointer. `links`, `meta` and relationships without `data` are ignored. A create may have null in read-only members.',
      'A whole record contains its `updated_at`. If the record has changed since, the save is refused. An update that changes nothing keeps `updated_at` and emits no event.',
    ],
  },
  {
    id: 'conditions',
    title: 'ETag and conditional requests',
    paragraphs: [
      'Responses have an `ETag`. A GET with `If-None-Match` is 304 if nothing has changed. A PATCH with `If-Match` is 412 if the record has changed.',
    ],
  },
  {
    id: 'errors',
    title: 'Errors',
    paragraphs: [
      'An error document has `errors`, each with `status`, `code`, `title`, `detail` and, for one part of the request, `source`. Decide by `code`, which keeps its meaning. `links.about` leads to the page of the code, with cause, fix and example.',
      'Errors of different statuses are answered together with 400. `detail` names an unknown name and the nearest known one, but repeats no values. `X-Request-Id` names the request in the log.',
      'A record in the wrong state for what is asked is 405 `invalid_state`, with what is possible in `meta.allowed_actions`. Payments and disputes have the same in their own `meta`.',
    ],
  },
  {
    id: 'limits',
    title: 'Rate limits',
    paragraphs: [
      '`RateLimit-Policy` and `RateLimit` show the limits of the key, the limits of all keys of its merchant and mode together, and the rest of each. A request beyond them is 429 `rate_limited`: wait for the seconds in `Retry-After`. 503 has `Retry-After` too, and can be repeated with an idempotency key. The database does not answer then, or the merchant reads too many lists at once.',
      'Some types allow only a few records per merchant; the description of the create names the maximum. A create beyond it is 422 `limit_reached` with the number in `meta.limit`.',
    ],
  },
];

/** Sentences on records that lists of the type omit, and how to find them. */
export const unlistedText = ({ type, resource: { unlisted = {} } }: Model): string =>
  `The list of \`${type}\` leaves out records with ${Object.entries(unlisted)
    .map(([field, value]) => (value === SET ? `a \`${field}\`` : `\`${field}\` \`${value}\``))
    .join(
      ', ',
    )}. Keep their ids from the response to the create or from links of other records: a fetch finds them.`;
