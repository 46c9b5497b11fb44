import type { ErrorCode } from '../errors.ts';
import { accessErrors } from './access.ts';
import type { ErrorHelp } from './error-help.ts';
import { paymentErrors } from './payments.ts';
import { peopleErrors } from './people.ts';
import { queryErrors } from './queries.ts';
import { requestErrors } from './requests.ts';
import { valueErrors } from './values.ts';

/** Documentation of every error code. A code without help does not compile. */
export const errorHelp: Readonly<Record<ErrorCode, ErrorHelp>> = {
  ...requestErrors,
  ...queryErrors,
  ...accessErrors,
  ...valueErrors,
  ...paymentErrors,
  ...peopleErrors,
};
