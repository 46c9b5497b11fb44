/** One operation with one status: `GET /v2/customers 200`. */
export type Pair = string;

interface OpenApiDocument {
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
const CONDITION_STATUSES = new Set(['429', '500', '503']);

/** A request head that is too long or too slow is refused before its operation is known. */
const BEFORE_OPERATIONS = /(?:408|431)$/;

/** One implementation gives these answers to all operations of a kind, so one operation of each kind suffices. */
const SHARED_STATUSES = new Set('304 400 401 403 404 406 409 412 413 415 422'.split(' '));

/** Kind of a pair's operation, with the status: operations of a kind have the same method and length of path. */
const kindOf = (pair: Pair): string => {
  const [method, path = '', status] = pair.split(' ');
  return [method, path.split('/').length, status].join(' ');
};

const pairsOf = ({ paths }: OpenApiDocument): { operation: string; status: string }[] =>
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
  /** Number of documented statuses that only another operation of the same kind returned. */
  readonly shared: number;
  /** Returned, but not documented. */
  readonly undocumented: readonly Pair[];
  /** Documented, but returned neither by the operation nor, if its kind shares the status, by another one. */
  readonly unseen: readonly Pair[];
}

/** Compares the document with the tests' responses. Ignores paths and methods that the document lacks. */
export function driftOf(document: OpenApiDocument, observedPairs: ReadonlySet<Pair>): Drift {
  const pairs = pairsOf(document);
  const operations = new Set(pairs.map(({ operation }) => operation));
  const documentedPairs = new Set(pairs.map(({ operation, status }) => `${operation} ${status}`));
  const isKnown = (pair: Pair): boolean =>
    operations.has(pair.slice(0, pair.lastIndexOf(' '))) && !BEFORE_OPERATIONS.test(pair);
  const expectedPairs = pairs.filter(({ status }) => !CONDITION_STATUSES.has(status));
  const observedKinds = new Set(
    [...observedPairs].filter((pair) => documentedPairs.has(pair)).map(kindOf),
  );
  const isSeenOfKind = (pair: Pair, status: string): boolean =>
    SHARED_STATUSES.has(status) && observedKinds.has(kindOf(pair));
  const missingPairs = expectedPairs
    .map(({ operation, status }) => ({ pair: `${operation} ${status}`, status }))
    .filter(({ pair }) => !observedPairs.has(pair));
  const unseenPairs = missingPairs.filter(({ pair, status }) => !isSeenOfKind(pair, status));
  return {
    operations: operations.size,
    statuses: expectedPairs.length,
    shared: missingPairs.length - unseenPairs.length,
    undocumented: [...observedPairs]
      .filter((pair) => isKnown(pair) && !documentedPairs.has(pair))
      .toSorted(),
    unseen: unseenPairs.map(({ pair }) => pair),
  };
}

/** Report of a run. Throws an `Error` that lists the differences; only a full run can report missing statuses. */
export function reportDrift(drift: Drift, isFull: boolean): string {
  const { operations, statuses, shared, undocumented, unseen } = drift;
  const problems = [
    ...undocumented.map(
      (pair) => `openapi: ${pair} was answered, but docs/openapi.json has no such answer`,
    ),
    ...(isFull ? unseen : []).map((pair) => `openapi: ${pair} is documented, but no test saw it`),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return isFull
    ? `openapi: ${operations} operations, ${statuses} statuses, ${shared} of them seen only at another operation of the kind`
    : '';
}
