import type { Resource as Definition } from '@florin/contract/resources/define-resource.ts';
import { Stack } from '@mantine/core';
import { useRegistry } from '../../api/registry.ts';
import type { Resource } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { PARTS_OF_MESSAGE } from '../table/default-columns.ts';
import { JsonView } from '../value/json-view.tsx';
import { AttributeList } from './attribute-list.tsx';
import { DefinitionPairs } from './definition-pairs.tsx';
import { RelationList } from './relation-list.tsx';
import { Section } from './section.tsx';

interface Props {
  readonly record: Resource;
  /** Attributes to omit, because the page shows them elsewhere. */
  readonly without?: readonly string[];
  /** Omits relations, on pages that show them in another way. */
  readonly withoutRelations?: boolean;
  /** Currency of the amounts, if the record has none. */
  readonly currency?: string | undefined;
}

/** Every attribute and relation of a record, folded on pages that show what people need. */
export function FoldedRecord(props: Props) {
  const t = useTexts('records');
  return (
    <Section title={t('technical')} isCollapsed>
      <RecordView {...props} />
    </Section>
  );
}

/** Every attribute and relation of a record. */
export function RecordView({ record, without = [], withoutRelations = false, currency }: Props) {
  const t = useTexts('records');
  const definition = useRegistry()[record.type] as Definition;
  const names = Object.entries(definition.fields)
    .filter(([name, field]) => !without.includes(name) && !field.deprecated_for)
    .filter(([name]) => !PARTS_OF_MESSAGE.includes(name))
    .map(([name]) => name);
  return (
    <Stack gap="lg">
      <Section title={t('attributes')}>
        <AttributeList
          record={record}
          fields={definition.fields}
          names={names.filter((name) => name !== 'metadata')}
          currency={currency}
        />
      </Section>
      {'metadata' in record.attributes && !without.includes('metadata') && (
        <Metadata value={record.attributes.metadata} />
      )}
      {!withoutRelations && (
        <Section title={t('relations')}>
          <RelationList record={record} definition={definition} />
        </Section>
      )}
      <Section title={t('raw')} isCollapsed>
        <JsonView value={record} label={t('raw_hint')} />
      </Section>
    </Stack>
  );
}

function Metadata({ value }: { readonly value: unknown }) {
  const t = useTexts('records');
  const pairs = Object.entries((value ?? {}) as Record<string, unknown>);
  return (
    <Section title={t('metadata')}>
      {pairs.length === 0 ? (
        t('no_metadata')
      ) : (
        <DefinitionPairs
          pairs={pairs.map(([name, text]) => ({ key: name, term: name, value: String(text) }))}
        />
      )}
    </Section>
  );
}
