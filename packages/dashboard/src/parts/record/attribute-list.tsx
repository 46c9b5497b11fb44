import type { Field } from '@florin/contract/resources/define-resource.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Resource } from '../../api/types.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Id } from '../value/copyable.tsx';
import { FieldValue } from '../value/field-value.tsx';
import { DefinitionPairs } from './definition-pairs.tsx';

interface Props {
  readonly record: Resource;
  readonly fields: Readonly<Record<string, Field>>;
  /** Attributes to show, in this order. */
  readonly names: readonly string[];
  /** Currency of the amounts, if the record has none. */
  readonly currency?: string | undefined;
  /** Leaves out the record's id, where the page shows it elsewhere. */
  readonly withoutId?: boolean;
}

/** A record's id and attributes, with localised names. */
export function AttributeList({ record, fields, names, currency, withoutId = false }: Props) {
  const t = useTexts('records');
  const namesOfCodes = useNames();
  const { attributes } = record;
  const [withEmpty, showEmpty] = useState(false);
  const present = names.filter(
    (name) => fields[name] && name in attributes && !isAlias(name, fields),
  );
  const emptyNames = present.filter((name) => isEmpty(attributes[name]));
  const shownNames = withEmpty ? present : present.filter((name) => !emptyNames.includes(name));
  const pairs = shownNames.map((name) => ({
    key: name,
    term: namesOfCodes.field(name),
    value: (
      <FieldValue
        name={name}
        field={fields[name] as Field}
        value={attributes[name]}
        attributes={currency ? { amount_currency: currency, ...attributes } : attributes}
      />
    ),
  }));
  const id = { key: 'id', term: namesOfCodes.field('id'), value: <Id value={record.id} /> };
  return (
    <>
      <DefinitionPairs pairs={withoutId ? pairs : [id, ...pairs]} />
      {emptyNames.length > 0 && (
        <Button size="compact-xs" variant="subtle" mt="sm" onClick={() => showEmpty(!withEmpty)}>
          {withEmpty ? t('hide_empty') : t.count('show_empty', emptyNames.length)}
        </Button>
      )}
    </>
  );
}

const isEmpty = (value: unknown): boolean => value === null || value === '';

/** Whether a field is an alias of another field in the list. */
const isAlias = (name: string, fields: Props['fields']): boolean => {
  const column = fields[name]?.column;
  return column !== undefined && column !== name && fields[column] !== undefined;
};
