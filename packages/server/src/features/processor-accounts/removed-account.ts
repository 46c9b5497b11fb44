import type { Row } from '../../platform/database/row.ts';

/** Name and status of an account, as far as there is one. */
interface AccountFacts {
  readonly name?: Row[string] | undefined;
  readonly status?: Row[string] | undefined;
}

/** Why nothing can be sent through an account: it is removed. Undefined for any other. `part`: such as "took the payment". */
export const removalOf = ({ name, status }: AccountFacts, part: string): string | undefined =>
  status === 'removed' ? `The processor account ${name}, which ${part}, is removed.` : undefined;
