/** One error object of a JSON:API response. */
export interface ApiProblem {
  readonly status: string;
  readonly code: string;
  readonly title: string;
  readonly detail?: string;
  /** The code in the person's language, if that is not English. */
  readonly text?: string;
  readonly source?: {
    readonly pointer?: string;
    readonly parameter?: string;
    readonly header?: string;
  };
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Last attempt of a failed request. */
interface LastAttempt {
  readonly request_id?: string | undefined;
  readonly was_unanswered?: boolean;
}

/** A refusal by the server, or a request without a response (`status` 0). */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly problems: readonly ApiProblem[];
  /** Id with which the operator finds the request in the server's log. */
  readonly request_id: string | undefined;
  /**
   * Whether any attempt got no response. Such an attempt may have taken effect, whatever the response to a later one.
   */
  readonly was_unanswered: boolean;

  constructor(status: number, problems: readonly ApiProblem[], sent: LastAttempt = {}) {
    super(problems.map(sentenceOf).join(' ') || `HTTP ${status}`);
    this.status = status;
    this.problems = problems;
    this.request_id = sent.request_id;
    this.was_unanswered = sent.was_unanswered ?? false;
  }
}

export const isStatus = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.status === status;

/** Whether the server refused with this error code. */
export const isProblem = (error: unknown, code: string): boolean =>
  error instanceof ApiError && error.problems.some((problem) => problem.code === code);

const FIRST_REFUSAL = 400;
const LAST_REFUSAL = 499;

/** Whether the server refused the request, so that the request had no effect. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  !error.was_unanswered &&
  error.status >= FIRST_REFUSAL &&
  error.status <= LAST_REFUSAL;

/** Problems by form field, and the problems without a field. */
export interface FormProblems {
  /** Keys are paths in the form: `email`, `line_items.0.quantity`. */
  readonly fields: Readonly<Record<string, string>>;
  readonly others: readonly ApiProblem[];
}

const POINTER = /^\/data\/(?:attributes|relationships)\/(.+?)(?:\/data(?:\/id)?)?$/;

/** Returns the form path of a problem's pointer: `/data/attributes/a/0/b` and `/a/0/b` become `a.0.b`. */
export function fieldPathOf(pointer: string): string | undefined {
  const path = POINTER.exec(pointer)?.[1] ?? (/^\/(?!data(?:\/|$))(.+)$/.exec(pointer)?.[1] || '');
  return path === '' ? undefined : path.replaceAll('/', '.');
}

/** Assigns the problems of an error to form fields. `hasField` returns whether the form has a path. */
export function problemsByField(error: unknown, hasField: (path: string) => boolean): FormProblems {
  // Network failures and responses of a proxy contain no problems, but must be shown as well.
  if (!(error instanceof ApiError) || error.problems.length === 0) {
    return { fields: {}, others: [unknownProblem(error)] };
  }
  const fields: Record<string, string> = {};
  const others: ApiProblem[] = [];
  for (const problem of error.problems) {
    const path = fieldPathOf(problem.source?.pointer ?? '');
    if (path && hasField(path)) fields[path] = sentenceOf(problem);
    else others.push(problem);
  }
  return { fields, others };
}

/** The problem as one text. Only the detail names limits and values, so it stays, in English. */
export function sentenceOf({ text, detail, title }: ApiProblem): string {
  if (text === undefined) return detail ?? title;
  return detail === undefined ? text : `${text} (${detail})`;
}

const unknownProblem = (error: unknown): ApiProblem => ({
  status: '0',
  code: 'unknown',
  title: error instanceof Error ? error.message : String(error),
});
