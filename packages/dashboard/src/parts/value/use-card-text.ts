import type { RecordOf } from '../../api/types.ts';
import { useNames } from '../../i18n/use-names.ts';

/** Returns the name of a card as on its front: `Visa •••• 0004 · 12/31`. */
export function useCardText(): (card: RecordOf<'payment_methods'>) => string {
  const names = useNames();
  return ({ attributes: { kind, last_four, expiry_month, expiry_year } }) => {
    const month = String(expiry_month ?? '').padStart(2, '0');
    return `${names.value(kind)} •••• ${last_four ?? '????'} · ${month}/${String(expiry_year ?? '').slice(-2)}`;
  };
}
