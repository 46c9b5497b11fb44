import type { RecordOf } from '../../../api/types.ts';
import { dayText } from '../../../parts/value/instant.tsx';

/** A customer with what tells namesakes apart: email address and day of creation. */
export function customerLabel(
  { attributes: { name, email, created_at } }: RecordOf<'customers'>,
  locale: string,
): string {
  const day = created_at && dayText(created_at, locale);
  return [name, email, day].filter(Boolean).join(' · ');
}
