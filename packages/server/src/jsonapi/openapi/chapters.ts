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
  STEPS_WEIGHT_MAX,
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
      'Every request names its client in `User-Agent` and carries a secret key. Documents are JSON:API 1.1, media type `application/vnd.api+json` in both directions; a body is at most 256 kB.',
      'Every GET also answers HEAD, every address OPTIONS with `Allow`, and PUT is another name for PATCH. Nothing is ever deleted over the interface: DELETE is 405. `/api/v2` and addresses without a version lead to `/v2` as well.',
      'Card numbers and verification values are refused wherever they are: the browser SDK seals them for the vault and gives tokens. In the sandbox, test tokens such as `pan_test_visa` stand for cards.',
    ],
    code: `curl -g ${base_url}/v2/customers \\
  -H "Authorization: Bearer $KEY" -H 'User-Agent: my-shop/1.0'`,
  },
  {
    id: 'keys',
    title: 'Keys, modes and permissions',
    paragraphs: [
      'A key `ept_sandbox_s…` or `ept_live_s…` is for servers, and its mode decides which records it sees. A publishable key, `ept_…_b…`, is for the browser SDK alone.',
      'Without a good key every operation answers 401 `unauthorized`. A key that is unknown, has expired or was revoked gets the same words, so that nobody learns which keys there were. What a good key may not do is 403 `forbidden`; a publishable key may do nothing here.',
      'The value of a key is in the answer to its create and nowhere else. Where that answer was lost the key is lost, a repeat does not show it: revoke the key, and make another.',
      'A key may be limited to permissions. `x-required-permission` of an operation names what it needs; a key that lacks it gets 403 `forbidden`. Types reached by `include`, filters or sorts need their `read` too. Records of another merchant do not exist: 404.',
    ],
  },
  {
    id: 'live-mode',
    title: 'Live mode',
    paragraphs: [
      'Live mode takes cards only where a payment processor is connected for the merchant. This version has none to connect, and the approval of the operator does not change that. Use sandbox keys.',
      'Without a processor, 422 `no_processor` answers each create and confirmation of payments, subscriptions and payment links, and each change of a subscription. Nothing is stored. Forms and the pages of links show a notice instead of card fields, and subscriptions wait.',
      'Everything else of live mode works, so that an integration can be prepared: customers, addresses, webhooks, keys, members.',
    ],
  },
  {
    id: 'paging',
    title: 'Pages',
    paragraphs: [
      `A list holds ${PAGE_SIZE_DEFAULT} records, or as many as \`page[size]\` or \`page[limit]\` says, at most ${PAGE_SIZE_MAX}. Where there is more, \`links.next\` leads on: follow it as it is.`,
      `Three ways of paging, not to be mixed: \`page[number]\` with \`page[size]\`; \`page[offset]\` with \`page[limit]\`; \`page[after]\` or \`page[before]\` with either size. The first two reach ${PAGE_OFFSET_MAX} records deep; links use the third.`,
      `A client that asks for the profile \`${CURSOR_PROFILE}\` in its \`Accept\` header gets a cursor for every record in \`meta.page.cursor\`, and \`prev\` and \`next\` as null where they lead nowhere.`,
      'Lists are not counted. `page[total]=true` asks for the number, in `meta.total` and `meta.pagination.total`.',
      ...models.all.filter(({ resource }) => resource.unlisted).map(unlistedText),
    ],
  },
  {
    id: 'filtering',
    title: 'Filters, sorts, includes, fieldsets',
    paragraphs: [
      '`filter[status]=succeeded,failed` asks for one of several values, `filter[payer]=<id>` for a related record, `filter[payer.email]=…` for one by its attribute, over any relationships. A to-many step asks whether any of its records fits. All filters must hold; text is compared as it is, capitals included. `null` asks for what is not set; `\\,` is a comma of the value. A filter that is repeated is a list: `filter[status]=succeeded&filter[status]=failed` asks for either.',
      `\`filter[path][operator]\` compares otherwise: \`ne\`, \`in\`, \`null\`; \`gt\`, \`gte\`, \`lt\`, \`lte\` on numbers and times, also as \`filter[created_at_gte]\`; \`like\` on text finds what has the given text in it, in capitals or not; \`%\` and \`_\` are ordinary characters, for at most ${LIKE_LENGTH_MAX} characters. At most ${FILTERS_MAX} filters with ${FILTER_VALUES_MAX} values and ${PATH_STEPS_MAX} steps each; filters, sorts and includes take ${STEPS_WEIGHT_MAX} steps together; to-many ones count double, those to accounts and permissions too, and \`page[total]\` doubles those of filters.`,
      `\`sort=-created_at,name\`; newest first where nothing is said, long texts by their first ${PREFIX_CHARACTERS} characters. \`include=payer,payment_method.customer\` brings related records along: ${INCLUDE_PATHS_MAX} paths, or as many as the type has relationships, ${INCLUDE_DEPTH_MAX} steps each. \`fields[customers]=name,email\` shows only these. The last two work on writes as well.`,
      'What is not understood is 400, a value of the wrong kind 422, both with `source.parameter`; nothing is ignored.',
    ],
    code: `curl -g '${base_url}/v2/payment_demands?filter[status]=succeeded&filter[payer.email]=ada@example.com&include=payer&sort=-amount_cents' \\
  -H "Authorization: Bearer $KEY" -H 'User-Agent: my-shop/1.0'`,
  },
  {
    id: 'relationships',
    title: 'Relationships',
    paragraphs: [
      '`/v2/<type>/{id}/relationships/<name>` answers with the related record or records themselves, not with their identifiers; `links.self` and `links.related` of a relationship both lead there. A to-one relationship that is not set is `data: null`, with status 200. `/v2/<type>/{id}/<name>` is the same address.',
      'To-many relationships have `data` only where they are included.',
    ],
  },
];

const responseChapters: readonly Chapter[] = [
  {
    id: 'idempotency',
    title: 'Sending a write again',
    paragraphs: [
      'With `Idempotency-Key` on a POST or PATCH the same request may be sent again after a lost answer: it is done once, and the repeat is marked `Idempotent-Replayed: true`. The same key with another request is 409 `idempotency_conflict`; the attribute `idempotency_key` of refunds alone answers 422 `refund_key_reused` there. A refused request leaves its key unused.',
      'A key belongs to one type, one mode and one kind of write: the same text may be used for a customer and for a payment, for a create and for an update. It is kept for 30 days. Types with an `idempotency_key` attribute take it there too; such a key lasts as long as its record.',
      'A repeat is answered with the record as it is now, which may have changed since the first answer: a payment that was `pending` may have succeeded.',
    ],
  },
  {
    id: 'saving',
    title: 'Saving whole records',
    paragraphs: [
      'A PATCH may send a record back as it was read, with one attribute changed. Read-only members must be as the record has them: a different value is 422 `read_only` with its pointer. `links`, `meta` and relationships without `data` say nothing. A create may have null in read-only members.',
      'A whole record has its `updated_at`: where somebody else changed the record in between, the save is refused. An update that changes nothing leaves `updated_at` as it is and emits no event.',
    ],
  },
  {
    id: 'conditions',
    title: 'ETag and conditional requests',
    paragraphs: [
      'Answers carry an `ETag`. A GET with `If-None-Match` is 304 where nothing has changed; a PATCH with `If-Match` is 412 where somebody else changed the record first.',
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
      '`RateLimit-Policy` and `RateLimit` tell the limits of the key, and of all keys of its merchant and mode together, and what is left. Beyond them is 429 `rate_limited`: wait as many seconds as `Retry-After` says. 503 has `Retry-After` too and is safe to repeat with an idempotency key: the database does not answer, or the merchant reads more lists at once than its share.',
      'Of some types a merchant has few records, and the description of their create says how many at most. Beyond it is 422 `limit_reached` with the number in `meta.limit`.',
    ],
  },
];

/** Sentences on records that lists of the type omit, and how to find them. */
export const unlistedText = ({ type, resource: { unlisted = {} } }: Model): string =>
  `The list of \`${type}\` leaves out records with ${Object.entries(unlisted)
    .map(([field, value]) => `\`${field}\` \`${value}\``)
    .join(
      ', ',
    )}, whatever is asked for. Keep their ids, from the answer to the create or the links of other records: a fetch finds them.`;
