import { type ErrorCode, type Problem, ProblemError } from '@florin/contract/errors.ts';

/** Gathers everything that is wrong with one document, so that the client hears it all at once. */
export interface Issues {
  /** `limit` is the number that the value is beyond. */
  add(code: ErrorCode, pointer: string, detail: string, limit?: number): void;
  /** Throws what was gathered, if anything was. */
  raise(): void;
}

/** Problems in one answer; a document may hold many more mistakes than anybody reads. */
const ISSUES_MAX = 50;

/** Starts with nothing wrong. */
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
