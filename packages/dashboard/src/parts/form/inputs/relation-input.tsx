import type { Relation } from '@florin/contract/resources/define-resource.ts';
import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useList } from '../../../api/list.ts';
import { useRegistry } from '../../../api/registry.ts';
import type { AnyAttributes, ResourceType } from '../../../api/types.ts';
import { useHelp } from '../../../i18n/use-help.tsx';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { titleFieldOf } from '../../table/default-columns.ts';
import { isQueryable } from '../../table/filter/queryable.ts';
import type { AnyForm } from './types.ts';

interface Props {
  readonly name: string;
  readonly relation: Relation;
  readonly form: AnyForm;
}

const WAIT_MS = 250;
const OPTIONS_MAX = '20';
const UUID = /^[0-9a-f-]{36}$/i;

/** Selects a related record by name or id. */
export function RelationInput({ name, relation, form }: Props) {
  const t = useTexts('records');
  const names = useNames();
  const help = useHelp();
  const path = `$relations.${name}`;
  const typed = String((form.values.$relations as Record<string, string>)[name] ?? '');
  const options = useOptions(relation.to as ResourceType, typed);
  return (
    <Autocomplete
      label={names.field(name)}
      description={help(relation.description) ?? t('relation_search')}
      withAsterisk={relation.create === 'required'}
      data={options.map(({ id }) => id)}
      filter={({ options: all }) => all}
      renderOption={({ option }) => (
        <span>{options.find(({ id }) => id === option.value)?.label ?? option.value}</span>
      )}
      value={typed}
      onChange={(value) => form.setFieldValue(path, value)}
      error={form.errors[path]}
    />
  );
}

/** Returns records whose name contains the typed text, or the newest records without a text. */
function useOptions(type: ResourceType, typed: string) {
  const definition = useRegistry()[type];
  const [text] = useDebouncedValue(typed.trim(), WAIT_MS);
  const title = titleFieldOf(definition);
  const field = title ? definition.fields[title] : undefined;
  const isSearched = text !== '' && !UUID.test(text) && field !== undefined && isQueryable(field);
  const list = useList(type, {
    'page[size]': OPTIONS_MAX,
    ...(isSearched && { [`filter[${title}][like]`]: text.replace(/[\\,]/g, '\\$&') }),
  });
  return (list.data?.pages[0]?.data ?? []).map(({ id, attributes }) => ({
    id,
    label: `${title ? ((attributes as AnyAttributes)[title] ?? '') : ''} ${id.slice(-ID_SHOWN)}`,
  }));
}

const ID_SHOWN = 8;
