import type { Resource } from '../../api/types.ts';
import { useNames } from '../../i18n/use-names.ts';

/** Network and last four digits of a card. */
export function CardName({ method }: { readonly method: Resource }) {
  const names = useNames();
  const { kind, last_four } = method.attributes;
  return `${names.value(String(kind))} •••• ${last_four ?? '????'}`;
}
