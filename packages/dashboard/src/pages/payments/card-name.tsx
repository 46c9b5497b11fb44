import type { Resource } from '../../api/types.ts';
import { useNames } from '../../i18n/use-names.ts';

/** Network and last four digits of a card. */
export function CardName({ method }: { readonly method: Resource }) {
  return useCardName()(method);
}

/** Returns the network and last four digits of a card: `Visa •••• 0004`. */
export function useCardName(): (method: Resource) => string {
  const names = useNames();
  return ({ attributes: { kind, last_four } }) =>
    `${names.value(String(kind))} •••• ${last_four ?? '????'}`;
}
