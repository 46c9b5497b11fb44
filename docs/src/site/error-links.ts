import { type ErrorCode, errorPagePath, errorTable } from '@florin/contract/errors.ts';

/** A fenced block, or a status with a code: 422 `blank`. */
const FENCE_OR_ERROR = /^```[\s\S]*?^```$|\b([45]\d\d) `([a-z_]+)`/gm;

/** Links each error code that follows its status to its page: 422 `blank`. Code blocks stay as they are. */
export const linkErrorCodes = (markdown: string): string =>
  markdown.replaceAll(FENCE_OR_ERROR, (text, status: string | undefined, code: string) =>
    status && isCodeOf(code, Number(status))
      ? `${status} [\`${code}\`](/${errorPagePath(code)})`
      : text,
  );

const isCodeOf = (code: string, status: number): code is ErrorCode =>
  Object.hasOwn(errorTable, code) && errorTable[code as ErrorCode].status === status;
