import type { RecordOf } from '../../../api/types.ts';

/** Name and email address of a customer: `Ada Lovelace · ada@example.com`. */
export const payerText = ({ attributes: { name, email } }: RecordOf<'customers'>): string =>
  name ? `${name} · ${email}` : email;
