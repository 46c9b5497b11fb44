import { type ErrorCode, type Problem, ProblemError } from '@florin/contract/errors.ts';

/** Collects all validation errors of a document, so that one response reports them. */
export interface Issues {
  /** `limit` is the maximum that the value exceeds. */
  add(code: ErrorCode, pointer: string, detail: string, limit?: number): void;
  /** Throws the collected errors, if any. */
  throwIfAny(): void;
}

/** Maximum number of errors in one response. */
const ISSUES_MAX = 50;

export function createIssues(): Issues {
  const problems: Problem[] = [];
  return {
    add(code, pointer, detail, limit) {
      if (problems.length >= ISSUES_MAX) return;
      const meta = limit === undefined ? {} : { meta: { limit } };
      problems.push({ code, detail, source: { pointer }, ...meta });
    },
    throwIfAny() {
      if (problems.length > 0) throw new ProblemError(problems);
    },
  };
}

const NAME_LENGTH_MAX = 100;

/** Encodes a member name for a JSON Pointer (RFC 6901). */
export const encodePointerSegment = (name: string): string =>
  name.slice(0, NAME_LENGTH_MAX).replaceAll('~', '~0').replaceAll('/', '~1');
