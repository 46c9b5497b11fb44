/**
 * Every error of the interface. A code is a stable name and never gets another meaning. `title` is
 * the same for all errors of a code; `detail` describes the single error.
 */
export const errorTable = {
  malformed_json: { status: 400, title: 'The body is not JSON' },
  invalid_document: { status: 400, title: 'The body is not a JSON:API document' },
  invalid_url: { status: 400, title: 'The URL cannot be decoded' },
  malformed_request: { status: 400, title: 'The request is not valid HTTP' },
  missing_user_agent: { status: 400, title: 'The User-Agent header is missing' },
  unknown_parameter: { status: 400, title: 'Unknown query parameter' },
  invalid_include: { status: 400, title: 'Unknown include path' },
  invalid_sort: { status: 400, title: 'Unknown sort field' },
  invalid_fields: { status: 400, title: 'Unknown field' },
  invalid_filter: { status: 400, title: 'Unknown filter' },
  invalid_page: { status: 400, title: 'Invalid page parameters' },
  invalid_cursor: { status: 400, title: 'The cursor cannot be used here' },
  query_too_costly: { status: 400, title: 'The query is too costly' },
  invalid_value: { status: 422, title: 'The value has the wrong format' },

  unauthorized: { status: 401, title: 'Unauthorized' },
  forbidden: { status: 403, title: 'Forbidden' },
  client_id_forbidden: { status: 403, title: 'The server creates ids' },
  merchant_not_approved: { status: 403, title: 'The merchant is not approved yet' },
  merchant_quarantined: { status: 403, title: 'The merchant is quarantined' },
  merchant_banned: { status: 403, title: 'The merchant is banned' },
  sign_in_again: { status: 403, title: 'Sign in again' },
  registration_closed: { status: 403, title: 'Registration is closed' },

  not_found: { status: 404, title: 'Not found' },
  relationship_not_found: { status: 404, title: 'Relationship not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  invalid_state: { status: 405, title: 'Not possible in this state' },
  not_acceptable: { status: 406, title: 'Not acceptable' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  id_conflict: { status: 409, title: 'The id does not match the URL' },
  type_conflict: { status: 409, title: 'The type does not match' },
  idempotency_conflict: { status: 409, title: 'The idempotency key was used for another request' },
  stale_record: { status: 412, title: 'The record has changed' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },

  blank: { status: 422, title: "can't be blank" },
  invalid: { status: 422, title: 'is invalid' },
  too_short: { status: 422, title: 'is too short' },
  too_long: { status: 422, title: 'is too long' },
  too_few_characters: { status: 422, title: 'should be at least 10 character(s)' },
  too_few_items: { status: 422, title: 'should have at least 1 item(s)' },
  too_small: { status: 422, title: 'is too small' },
  too_large: { status: 422, title: 'is too large' },
  over_limit: { status: 422, title: 'must be less than or equal to 100' },
  not_in_list: { status: 422, title: 'is not in the list' },
  invalid_phone: { status: 422, title: 'does not seem like a valid phone number' },
  invalid_region: { status: 422, title: 'is not a applicable state' },
  unknown_attribute: { status: 422, title: 'is not a known attribute' },
  read_only: { status: 422, title: 'is read-only' },
  unknown_relationship: { status: 422, title: 'is not a known relationship' },
  immutable: { status: 422, title: 'can no longer be changed' },
  currency_not_accepted: { status: 422, title: 'is not an accepted currency' },
  customer_merged: { status: 422, title: 'was merged into another customer' },
  customer_mismatch: { status: 422, title: 'belongs to another customer' },
  authentication_required: { status: 422, title: 'does not authenticate the payer' },
  card_not_used_before: { status: 422, title: 'has no earlier payment by this payer' },
  no_processor: { status: 422, title: 'No processor takes the payment' },
  live_rights_required: { status: 403, title: 'is shared with live mode' },
  mode_mismatch: { status: 422, title: 'does not match the mode of the key' },
  already_archived: { status: 422, title: 'is already archived' },
  already_listed: { status: 422, title: 'is already on the list' },
  clock_exists: { status: 422, title: 'already has a clock' },
  subscription_exists: { status: 422, title: 'already has a subscription to these events' },
  payment_not_succeeded: {
    status: 422,
    title: 'must have been successfully processed to be refunded',
  },
  no_refundable_authorization: { status: 422, title: 'has no refundable authorizations' },
  dispute_account_removed: {
    status: 422,
    title: 'belongs to a removed processor account',
  },
  already_refunded: { status: 422, title: 'has already been fully refunded' },
  over_unrefunded: { status: 422, title: 'greater than the unrefunded amount' },
  payment_not_authorised: { status: 422, title: 'must be authorised to be captured' },
  over_authorised: { status: 422, title: 'greater than the authorised amount' },
  several_captures_unsupported: {
    status: 422,
    title: 'must be the last capture at this processor',
  },
  refund_key_reused: {
    status: 422,
    title: 'has already been used for a different refund request',
  },
  url_not_allowed: { status: 422, title: 'is not allowed' },
  wrong_credentials: { status: 422, title: 'Wrong email address or password' },
  wrong_code: { status: 422, title: 'The code is wrong' },
  link_unusable: { status: 422, title: 'The link cannot be used' },
  password_too_common: { status: 422, title: 'is too easy to guess' },
  already_member: { status: 422, title: 'is already a member or invited' },
  already_owner: { status: 422, title: 'is already an owner' },
  limit_reached: { status: 422, title: 'has reached its limit' },
  more_than_whole: { status: 422, title: 'would raise the total of all owners above 100 percent' },
  token_unusable: { status: 422, title: 'cannot be used' },
  raw_card_data_forbidden: { status: 422, title: 'Card data is not accepted here' },

  head_too_large: { status: 431, title: 'The head of the request is too large' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  overloaded: { status: 503, title: 'The server is overloaded' },
  mail_not_configured: { status: 503, title: 'Email is not configured' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>;

export type ErrorCode = keyof typeof errorTable;

/** Path of the code's page, below the root of the documentation site. */
export const errorPagePath = (code: ErrorCode): string => `errors/${code}`;

/** Position of the error in the request: a JSON Pointer, a query parameter or a header. */
export type ErrorSource =
  | { readonly pointer: string }
  | { readonly parameter: string }
  | { readonly header: string };

/** One problem, before it is rendered as a JSON:API error object. */
export interface Problem {
  readonly code: ErrorCode;
  /** One sentence about this single error. May repeat names from the request, never values. */
  readonly detail: string;
  readonly source?: ErrorSource;
  /** `type` is the URI of an error kind that a JSON:API profile defines. */
  readonly links?: { readonly type: string };
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Error with one or more problems of a request. The error handler renders them. */
export class ProblemError extends Error {
  override name = 'ProblemError';
  readonly problems: readonly Problem[];
  /** Response headers such as `Allow` or `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    problems: readonly Problem[],
    headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    super(problems.map((problem) => `${problem.code}: ${problem.detail}`).join('; '), options);
    this.problems = problems;
    this.headers = headers;
  }
}

export function problem(
  code: ErrorCode,
  detail: string,
  source?: ErrorSource,
  details: {
    links?: { readonly type: string };
    meta?: Record<string, unknown>;
    headers?: Record<string, string>;
    cause?: unknown;
  } = {},
): ProblemError {
  const newProblem: Problem = {
    code,
    detail,
    ...(source && { source }),
    ...(details.links && { links: details.links }),
    ...(details.meta && { meta: details.meta }),
  };
  return new ProblemError([newProblem], details.headers, { cause: details.cause });
}

/**
 * HTTP status for a list of problems: their common status, or else their status class (400 or 500).
 */
export function statusOf(problems: readonly Problem[]): number {
  const statuses = new Set(problems.map(({ code }) => errorTable[code].status));
  if (statuses.size === 1) return [...statuses][0] as number;
  return Math.max(...statuses) >= 500 ? 500 : 400;
}
