import { CURSOR_PROFILE } from '../jsonapi/parse-query/cursor-profile.ts';
import {
  FILTER_HOPS_MAX,
  FILTER_VALUES_MAX,
  FILTERS_MAX,
  INCLUDE_DEPTH_MAX,
  INCLUDE_PATHS_MAX,
  PAGE_OFFSET_MAX,
  PAGE_SIZE_DEFAULT,
  PAGE_SIZE_MAX,
} from '../jsonapi/parse-query/limits.ts';

/** One thing that holds for all operations. Text may have `code` in backticks. */
export interface Chapter {
  readonly id: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** Shown as it is. */
  readonly code?: string;
}

/** What one has to know beside the operations themselves. `base_url` is the origin of the interface. */
export const chaptersOf = (base_url: string): readonly Chapter[] => [
  ...asking(base_url),
  ...answers,
];

const asking = (base_url: string): readonly Chapter[] => [
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
      'A key may be limited to permissions. `x-required-permission` of an operation names what it needs; a key that lacks it gets 403 `forbidden`. Types reached by `include`, filters or sorts need their `read` too. Records of another merchant do not exist: 404.',
    ],
  },
  {
    id: 'paging',
    title: 'Pages',
    paragraphs: [
      `A list holds ${PAGE_SIZE_DEFAULT} records, or as many as \`page[size]\` or \`page[limit]\` says, at most ${PAGE_SIZE_MAX}. Where there is more, \`links.next\` leads on: follow it as it is.`,
      `Three ways of paging, not to be mixed: \`page[number]\` with \`page[size]\`; \`page[offset]\` with \`page[limit]\`; \`page[after]\` or \`page[before]\` with either size. The first two reach ${PAGE_OFFSET_MAX} records deep; links use the third.`,
      `A client that asks for the profile \`${CURSOR_PROFILE}\` in its \`Accept\` header gets a cursor for every record in \`meta.page.cursor\`, and \`prev\` and \`next\` as null where they lead nowhere.`,
      'Lists are not counted. `page[total]=true` asks for `meta.pagination.total`.',
    ],
  },
  {
    id: 'filtering',
    title: 'Filters, sorts, includes, fieldsets',
    paragraphs: [
      '`filter[status]=succeeded,failed` asks for one of several values, `filter[payer]=<id>` for a related record, `filter[payer.email]=…` for one by its attribute, over any relationships. A to-many step asks whether any of its records fits. All filters must hold. `null` asks for what is not set; `\\,` is a comma of the value.',
      `\`filter[path][operator]\` compares otherwise: \`ne\`, \`in\`, \`null\`; \`gt\`, \`gte\`, \`lt\`, \`lte\` on numbers and times, also as \`filter[created_at_gte]\`; \`like\` on text. At most ${FILTERS_MAX} filters with ${FILTER_VALUES_MAX} values and ${FILTER_HOPS_MAX} steps.`,
      `\`sort=-created_at,name\`; newest first where nothing is said. \`include=payer,payment_method.customer\` brings related records along: ${INCLUDE_PATHS_MAX} paths, ${INCLUDE_DEPTH_MAX} steps each. \`fields[customers]=name,email\` shows only these. The last two work on writes as well.`,
      'What is not understood is 400, a value of the wrong kind 422, both with `source.parameter`; nothing is ignored.',
    ],
    code: `curl -g '${base_url}/v2/payment_demands?filter[status]=succeeded&filter[payer.email]=ada@example.com&include=payer&sort=-amount_cents' \\
  -H "Authorization: Bearer $KEY" -H 'User-Agent: my-shop/1.0'`,
  },
  {
    id: 'relationships',
    title: 'Relationships',
    paragraphs: [
      '`/v2/<type>/{id}/relationships/<name>` answers with the related record or records themselves, not with their identifiers; `links.self` and `links.related` of a relationship both lead there. A to-one relationship that is not set is `data: null`, with status 200.',
      'To-many relationships have `data` only where they are included.',
    ],
  },
];

const answers: readonly Chapter[] = [
  {
    id: 'idempotency',
    title: 'Sending a write again',
    paragraphs: [
      'With `Idempotency-Key` on a POST or PATCH the same request may be sent again after a lost answer: it is done once, and the repeat is marked `Idempotent-Replayed: true`. The same key with another request is 409 `idempotency_conflict`. A refused request leaves its key unused. Types with an `idempotency_key` attribute take it there too.',
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
      'An error document has `errors`, each with a `status`, a stable `code`, the `title` of that code, a `detail` about this time, and a `source`: `pointer`, `parameter` or `header`. Problems with different statuses come together as 400. Values that were sent are never repeated. `X-Request-Id` names the request in our logs.',
      'A payment in the wrong state for what is asked is 405 `invalid_state`, with what is possible in `meta.allowed_actions`.',
    ],
  },
  {
    id: 'limits',
    title: 'Rate limits',
    paragraphs: [
      '`RateLimit-Policy` and `RateLimit` tell the limits of the key and what is left. Beyond them is 429 `rate_limited`: wait as many seconds as `Retry-After` says. 503 has `Retry-After` too and is safe to repeat with an idempotency key.',
    ],
  },
  {
    id: 'webhooks',
    title: 'Webhook signatures',
    paragraphs: [
      'A delivery is a POST whose `edge-signature: t=…,v3=…` holds the hex HMAC-SHA256 of `t.body` under the text of the subscription’s `secret_key`; refuse one whose `t` is old. The Standard Webhooks headers `webhook-id`, `webhook-timestamp` and `webhook-signature` are sent as well, and `webhook-id` stays the same when a delivery is tried again.',
      'Answer 200 to 204. Anything else is tried again after 10 s, 5 min, 30 min, 1 h and 2 h; 400, 401, 403, 404 and 405 stop it.',
    ],
  },
];

/** The chapters as the Markdown of `info.description`. */
export const markdownOf = (chapters: readonly Chapter[]): string =>
  chapters
    .map(({ title, paragraphs, code }) =>
      [`## ${title}`, ...paragraphs, ...(code ? [`\`\`\`sh\n${code}\n\`\`\``] : [])].join('\n\n'),
    )
    .join('\n\n');
