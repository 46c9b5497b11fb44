import { amountText } from '@florin/contract/money.ts';
import type { Resource as Definition } from '@florin/contract/resources/define-resource.ts';
import type { RecordOf, ResourceType } from '../../../api/types.ts';
import { useLocale } from '../../../i18n/use-texts.ts';
import { useInstantText } from '../../value/instant.tsx';
import type { Column, RelatedRecord } from '../column.ts';
import { titleFieldOf } from '../default-columns.ts';

/** Names the rows of a table for screen readers, where the text of the first cell fits many rows. */
export interface RowName<T extends ResourceType> {
  /** Column whose text is part of the name. Cells of other columns are read before the name. */
  readonly contains?: string;
  readonly nameOf: (record: RecordOf<T>, related: RelatedRecord) => string;
}

/**
 * Returns the names of a table's rows: `given`, or title, amount and time of the record. Undefined if the first column
 * shows the title.
 */
export function useRowName<T extends ResourceType>(
  definition: Definition,
  columns: readonly Column<T>[],
  given: RowName<T> | undefined,
): RowName<T> | undefined {
  const locale = useLocale();
  const instantText = useInstantText();
  const title = titleFieldOf(definition);
  if (given || columns[0]?.key === title) return given;
  return {
    nameOf: (record) => {
      const { amount_cents, amount_currency, created_at, ...others } =
        record.attributes as Readonly<Record<string, unknown>>;
      const amount =
        typeof amount_cents === 'number' &&
        typeof amount_currency === 'string' &&
        amountText(String(amount_cents), amount_currency.toUpperCase(), locale);
      const time = typeof created_at === 'string' && instantText(created_at);
      return [title && others[title], amount, time].filter(Boolean).join(', ');
    },
  };
}
