/** One problem of an answer, as JSON:API writes it. */
export interface ApiProblem {
  readonly status: string;
  readonly code: string;
  readonly title: string;
  readonly detail?: string;
  readonly source?: {
    readonly pointer?: string;
    readonly parameter?: string;
    readonly header?: string;
  };
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** How a request went that failed. */
interface Sent {
  readonly request_id?: string | undefined;
  readonly was_unanswered?: boolean;
}

/** An answer that is a refusal, or that never came (`status` 0). */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly problems: readonly ApiProblem[];
  /** Names the request in the server's log. */
  readonly request_id: string | undefined;
  /** Whether a try had no answer: what was asked for may have been done, whatever a later try was answered. */
  readonly was_unanswered: boolean;

  constructor(status: number, problems: readonly ApiProblem[], sent: Sent = {}) {
    super(problems.map(({ title, detail }) => detail ?? title).join(' ') || `HTTP ${status}`);
    this.status = status;
    this.problems = problems;
    this.request_id = sent.request_id;
    this.was_unanswered = sent.was_unanswered ?? false;
  }
}

export const isStatus = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.status === status;

/** Whether the server refuses it for this reason. */
export const isProblem = (error: unknown, code: string): boolean =>
  error instanceof ApiError && error.problems.some((problem) => problem.code === code);

const FIRST_REFUSAL = 400;
const LAST_REFUSAL = 499;

/** Whether the server has said no: whatever was asked for has not been done. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  !error.was_unanswered &&
  error.status >= FIRST_REFUSAL &&
  error.status <= LAST_REFUSAL;

/** What is wrong by the form field it is about, and what is about none. */
export interface FormProblems {
  /** By path in the form: `email`, `line_items.0.quantity`. */
  readonly fields: Readonly<Record<string, string>>;
  readonly others: readonly ApiProblem[];
}

const POINTER = /^\/data\/(?:attributes|relationships)\/(.+?)(?:\/data(?:\/id)?)?$/;

/** The path of a form's field for the pointer of a problem: `/data/attributes/a/0/b` and `/a/0/b` are `a.0.b`. */
export function fieldPathOf(pointer: string): string | undefined {
  const path = POINTER.exec(pointer)?.[1] ?? (/^\/(?!data(?:\/|$))(.+)$/.exec(pointer)?.[1] || '');
  return path === '' ? undefined : path.replaceAll('/', '.');
}

/** Sorts the problems of an error to the fields that the form has; `fields` are their paths. */
export function problemsByField(error: unknown, has: (path: string) => boolean): FormProblems {
  // What was not answered, or not by the server itself, has no problems, and is to be told all the same.
  if (!(error instanceof ApiError) || error.problems.length === 0) {
    return { fields: {}, others: [unknownProblem(error)] };
  }
  const fields: Record<string, string> = {};
  const others: ApiProblem[] = [];
  for (const problem of error.problems) {
    const path = fieldPathOf(problem.source?.pointer ?? '');
    if (path && has(path)) fields[path] = problem.detail ?? problem.title;
    else others.push(problem);
  }
  return { fields, others };
}

const unknownProblem = (error: unknown): ApiProblem => ({
  status: '0',
  code: 'unknown',
  title: error instanceof Error ? error.message : String(error),
});
