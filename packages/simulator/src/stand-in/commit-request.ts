import type { StandInBooks } from './open-books.ts';
import type { StandInRequest } from './transport.ts';

/** Runs the work of a request in a commit. Under fault `without_effect`, the books keep nothing of it. */
export const commitRequest = <T>(
  books: StandInBooks,
  { isWithoutEffect }: StandInRequest,
  work: () => T,
): Promise<T> => books.commit(() => (isWithoutEffect ? books.rehearse(work) : work()));
