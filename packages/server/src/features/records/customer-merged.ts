import { problem } from '@florin/contract/errors.ts';

/** Error 422 for a customer who was merged into the customer `survivor`. */
export const customerMerged = (survivor: string, pointer: string): Error =>
  problem(
    'customer_merged',
    `This customer was merged into the customer ${survivor}. Use that customer.`,
    { pointer },
    { meta: { customer: survivor } },
  );
