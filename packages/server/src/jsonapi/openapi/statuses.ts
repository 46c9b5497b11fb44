import { type ErrorCode, errorTable } from '@florin/contract/errors.ts';
import type { Operation } from './operations.ts';

/** Statuses that any operation can return: rate limits and the server's condition. */
export const commonStatuses: readonly number[] = [429, 500, 503];

const rejectedStatuses = [400, 401, 403, 406, 422];
const writeStatuses = [409, 413, 415];

/** Exceptions per operation: statuses that it returns in addition to, or unlike, its kind. */
const statusExceptions: Readonly<
  Record<
    string,
    { readonly extraStatuses?: readonly number[]; readonly excludedStatuses?: readonly number[] }
  >
> = {
  // Expired keys can still be revoked, and their other changes are accepted.
  revokeMerchantToken: { excludedStatuses: [405] },
  updateMerchantToken: { excludedStatuses: [405] },
  // Changes of an archived subscription are validation errors, not 405.
  updateWebhookSubscription: { excludedStatuses: [405] },
  // Acknowledging twice has no effect.
  acknowledgeAccountAlert: { excludedStatuses: [405] },
  // Discarding twice has no effect.
  discardPaymentMethod: { excludedStatuses: [405] },
  // A resolved exception cannot be changed.
  updateSettlementException: { extraStatuses: [405] },
  // Customers, list entries and limits have no state that forbids an operation.
  updateCustomer: { excludedStatuses: [405] },
  blockCustomer: { excludedStatuses: [405] },
  unblockCustomer: { excludedStatuses: [405] },
  removeRiskListEntry: { excludedStatuses: [405] },
  removeVelocityLimit: { excludedStatuses: [405] },
  // Removing twice has no effect.
  removeMembership: { excludedStatuses: [405] },
  // Expiring twice has no effect.
  expirePaymentLink: { excludedStatuses: [405] },
  // Revoking links works in every state, even without links.
  revokeCustomerLinksPaymentSubscription: { excludedStatuses: [405] },
};

/** Every status that the operation can answer with, in ascending order. */
export function statusesOf(operation: Operation): readonly number[] {
  const { extraStatuses = [], excludedStatuses = [] } = statusExceptions[operation.id] ?? {};
  const candidateStatuses = [
    successStatus(operation),
    ...rejectedStatuses,
    ...statusesOfKind(operation),
    ...extraStatuses,
    ...commonStatuses,
  ];
  return [...new Set(candidateStatuses)]
    .filter((status) => !excludedStatuses.includes(status))
    .sort((a, b) => a - b);
}

export const successStatus = ({ kind }: Operation): number => (kind === 'create' ? 201 : 200);

function statusesOfKind(operation: Operation): readonly number[] {
  const { kind, model } = operation;
  const hasActions = model.resource.actions !== undefined;
  switch (kind) {
    case 'list':
      return [304];
    case 'fetch':
    case 'related_one':
    case 'related_many':
      return [304, 404];
    case 'create':
      return [...writeStatuses, ...(namesRecords(operation) ? [404] : [])];
    case 'update':
    case 'action':
      return [...writeStatuses, 404, 412, ...(hasActions ? [405] : [])];
  }
}

/** Whether the body can reference other records, which may not exist. */
const namesRecords = ({ model }: Operation): boolean =>
  [...model.relations.values()].some(({ definition }) => definition.create);

/** Error codes by status, in the order of the table. */
export const codesByStatus = (): ReadonlyMap<number, readonly ErrorCode[]> =>
  Map.groupBy(Object.keys(errorTable) as ErrorCode[], (code): number => errorTable[code].status);

export const statusNames: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** Component name of a status's response. */
export const componentOf = (status: number): string =>
  (statusNames[status] ?? `Status ${status}`).replaceAll(' ', '');

const adviceByStatus: Readonly<Record<number, string>> = {
  304: 'The record is still the one with the `ETag` that was sent.',
  400: 'The server cannot read the request, or the request has errors of several statuses. Correct the request first.',
  401: 'The key is missing, malformed, unknown, expired or revoked.',
  403: 'The key does not have the permission. `meta.required_permission` names it.',
  404: 'The URL or a referenced record does not exist, or is not visible to this key.',
  405: 'The state of the record does not allow the change, or the URL does not accept the method.',
  406: 'Responses are `application/vnd.api+json`. The `Accept` header must allow it.',
  408: 'The request took too long to arrive. Send it again. The server closes the connection; send the request again.',
  409: 'The document contradicts its URL, or an earlier request with the same idempotency key.',
  412: 'Another request changed the record in between. Fetch the record again, then repeat the change.',
  413: 'The body is larger than 256 KiB.',
  415: 'The body must have the media type `application/vnd.api+json`, without parameters.',
  422: 'The request is readable, but contains an invalid value. `source` names its position.',
  429: 'The key has sent too many requests. Wait as many seconds as `Retry-After` says.',
  431: 'URL and headers together are too long.',
  500: 'Florin failed unexpectedly. The operator finds the reason in the log by the `X-Request-Id`.',
  503: 'A temporary problem. Wait as many seconds as `Retry-After` says, then send the request again.',
};

/** Explains a status to the caller. */
export const adviceOf = (status: number): string =>
  adviceByStatus[status] ?? `${statusNames[status] ?? status}.`;
