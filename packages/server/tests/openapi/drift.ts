/** One operation with one status: `GET /v2/customers 200`. */
export type Pair = string;

interface Described {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly responses: Readonly<Record<string, unknown>> }>>
    >
  >;
}

/**
 * Statuses that depend on the service or the key's budget, so every operation can return them. Separate tests cover
 * rate limits (429), internal errors (500), overload and outages (503).
 */
const CONDITIONS = new Set(['429', '500', '503']);

/** A head that is too long or too slow is refused before its operation is known. */
const BEFORE_OPERATIONS = /(?:408|431)$/;

const pairsOf = ({ paths }: Described): { operation: string; status: string }[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.keys(responses).map((status) => ({
        operation: `${method.toUpperCase()} ${path}`,
        status,
      })),
    ),
  );

export interface Drift {
  readonly operations: number;
  readonly statuses: number;
  /** Returned, but not documented. */
  readonly undocumented: readonly Pair[];
  /** Documented, but never returned. */
  readonly unseen: readonly Pair[];
}

/** Compares the document with the tests' responses. Ignores paths and methods that the document lacks. */
export function driftOf(document: Described, seen: ReadonlySet<Pair>): Drift {
  const pairs = pairsOf(document);
  const operations = new Set(pairs.map(({ operation }) => operation));
  const documented = new Set(pairs.map(({ operation, status }) => `${operation} ${status}`));
  const isKnown = (pair: Pair): boolean =>
    operations.has(pair.slice(0, pair.lastIndexOf(' '))) && !BEFORE_OPERATIONS.test(pair);
  const expected = pairs.filter(({ status }) => !CONDITIONS.has(status));
  return {
    operations: operations.size,
    statuses: expected.length,
    undocumented: [...seen].filter((pair) => isKnown(pair) && !documented.has(pair)).toSorted(),
    unseen: expected
      .map(({ operation, status }) => `${operation} ${status}`)
      .filter((pair) => !seen.has(pair)),
  };
}

/** Report of a run. Throws an `Error` that lists the differences; only a full run can report missing statuses. */
export function reportDrift(drift: Drift, isFull: boolean): string {
  const { operations, statuses, undocumented, unseen } = drift;
  const complaints = [
    ...undocumented.map(
      (pair) => `openapi: ${pair} was answered, but docs/openapi.json has no such answer`,
    ),
    ...(isFull ? unseen : []).map((pair) => `openapi: ${pair} is documented, but no test saw it`),
  ];
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  return isFull ? `openapi: ${operations} operations, ${statuses} statuses, all seen` : '';
}
