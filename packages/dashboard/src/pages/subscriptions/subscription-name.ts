import { humanise } from '../../i18n/format-text.ts';
import { areLineItems, lineItemName } from '../../parts/value/line-items/line-item.ts';

interface Named {
  readonly line_items?: unknown;
  readonly description?: string | null;
  readonly slug?: string | null;
}

/** Returns a name in the merchant's words: items, description or short name. Undefined without all of them. */
export function subscriptionName({ line_items, description, slug }: Named): string | undefined {
  const items = areLineItems(line_items) ? line_items : [];
  const names = items.flatMap((item) => lineItemName(item) ?? []);
  return names.join(', ') || description || (slug ? humanise(slug) : undefined);
}
