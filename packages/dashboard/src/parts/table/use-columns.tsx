import type { Resource as Definition } from '@florin/contract/resources/define-resource.ts';
import { useLocalStorage } from '@mantine/hooks';
import { useMemo } from 'react';
import type { Resource, ResourceType } from '../../api/types.ts';
import { type Names, useNames } from '../../i18n/use-names.ts';
import { isAmount, withCurrency } from '../value/currency-of.ts';
import { FieldValue } from '../value/field-value.tsx';
import type { Column } from './column.ts';
import { defaultColumns } from './default-columns.ts';
import { isQueryable } from './filter/queryable.ts';

export interface ColumnChoice<T extends ResourceType> {
  readonly shown: readonly Column<T>[];
  readonly all: readonly Column<T>[];
  toggle(key: string): void;
}

/** Visible columns of a table, as chosen in this browser. */
export function useColumns<T extends ResourceType>(
  definition: Definition,
  given: readonly Column<T>[] | undefined,
): ColumnChoice<T> {
  const names = useNames();
  const genericColumns = useMemo(() => columnsOf<T>(definition, names), [definition, names]);
  const given_keys = new Set(given?.map(({ key }) => key));
  const allColumns = given
    ? [...given, ...genericColumns.filter(({ key }) => !given_keys.has(key))]
    : genericColumns;
  const usualKeys = given?.map(({ key }) => key) ?? defaultColumns(definition);
  const [chosen, choose] = useLocalStorage<readonly string[] | null>({
    key: `florin.columns.${definition.type}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const keys = chosen ?? usualKeys;
  const shownColumns = keys.flatMap((key) => allColumns.find((column) => column.key === key) ?? []);
  return {
    all: allColumns,
    shown: shownColumns.length > 0 ? shownColumns : allColumns.slice(0, 1),
    toggle: (key) => choose(keys.includes(key) ? keys.filter((it) => it !== key) : [...keys, key]),
  };
}

function columnsOf<T extends ResourceType>(definition: Definition, names: Names): Column<T>[] {
  return Object.entries(definition.fields)
    .filter(
      ([, field]) =>
        !(field.write_only || field.shown_once || field.sensitive || field.deprecated_for),
    )
    .map(([name, field]) => ({
      key: name,
      title: names.field(name),
      ...(isQueryable(field) && { sort: name }),
      numeric: field.type === 'integer' || isAmount(name),
      cell: (record, related) => {
        const attributeValues = withCurrency(record as Resource, related);
        return (
          <FieldValue
            name={name}
            field={field}
            value={attributeValues[name]}
            attributes={attributeValues}
            compact
          />
        );
      },
    }));
}
