import { type ErrorCode, type Problem, ProblemError } from '@florin/contract/errors.ts';

/** Collects all validation errors of a document, so that the client gets them together. */
export interface Issues {
  /** `limit` is the number that the value exceeds. */
  add(code: ErrorCode, pointer: string, detail: string, limit?: number): void;
  /** Throws the collected errors, if there are any. */
  raise(): void;
}

/** Errors in one response; a document may contain many more than a person reads. */
const ISSUES_MAX = 50;

export function createIssues(): Issues {
  const problems: Problem[] = [];
  return {
    add(code, pointer, detail, limit) {
      if (problems.length >= ISSUES_MAX) return;
      const meta = limit === undefined ? {} : { meta: { limit } };
      problems.push({ code, detail, source: { pointer }, ...meta });
    },
    raise() {
      if (problems.length > 0) throw new ProblemError(problems);
    },
  };
}

const NAME_LENGTH_MAX = 100;

/** A member name as a part of a JSON Pointer (RFC 6901). */
export const pointerPart = (name: string): string =>
  name.slice(0, NAME_LENGTH_MAX).replaceAll('~', '~0').replaceAll('/', '~1');
