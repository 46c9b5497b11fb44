import type { Resource } from '../../api/types.ts';
import { useNames } from '../../i18n/use-names.ts';

/** A card as people know it: its network and last four digits. */
export function CardName({ method }: { readonly method: Resource }) {
  const names = useNames();
  const { kind, last_four } = method.attributes;
  return `${names.value(String(kind))} •••• ${last_four ?? '????'}`;
}
