import type { RecordOf } from '../../../api/types.ts';

/** A customer with what tells namesakes apart: email address and day of creation. */
export function customerLabel(
  { attributes: { name, email, created_at } }: RecordOf<'customers'>,
  locale: string,
): string {
  const day = created_at && new Intl.DateTimeFormat(locale).format(new Date(created_at));
  return [name, email, day].filter(Boolean).join(' · ');
}
