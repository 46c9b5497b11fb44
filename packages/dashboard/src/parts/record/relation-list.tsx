import { permissionSlug } from '@florin/contract/permissions.ts';
import type { Resource as Definition } from '@florin/contract/resources/define-resource.ts';
import { Button, Loader } from '@mantine/core';
import { useState } from 'react';
import { useRelated } from '../../api/queries.ts';
import { useRegistry } from '../../api/registry.ts';
import { useCan } from '../../api/scope.ts';
import type { Identifier, Resource, ResourceType } from '../../api/types.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ProblemAlert } from '../feedback/problem-alert.tsx';
import { ScopedLink } from '../page/links.tsx';
import { recordPath } from '../page/record-path.ts';
import { titleFieldOf } from '../table/default-columns.ts';
import { DefinitionPairs } from './definition-pairs.tsx';
import classes from './record.module.css';

interface Props {
  readonly record: Resource;
  readonly definition: Definition;
}

/** Relations of a record: to-one relations as links, to-many relations on demand. */
export function RelationList({ record, definition }: Props) {
  const names = useNames();
  const registry = useRegistry();
  const can = useCan();
  const pairs = Object.entries(definition.relations)
    .filter(([, { to }]) => can(permissionSlug(registry[to as ResourceType], 'read')))
    .map(([name, { many }]) => ({
      key: name,
      term: names.field(name),
      value: many ? (
        <ManyRelated record={record} relation={name} label={names.field(name)} />
      ) : (
        <OneRelated linkage={record.relationships?.[name]?.data} />
      ),
    }));
  return <DefinitionPairs pairs={pairs} />;
}

type Linkage = Identifier | readonly Identifier[] | null | undefined;

function OneRelated({ linkage }: { readonly linkage: Linkage }) {
  if (!linkage || !('id' in linkage)) return '–';
  return <RecordLink record={linkage} />;
}

/** Link to a record, by its name if known. */
export function RecordLink({ record }: { readonly record: Identifier & Partial<Resource> }) {
  const registry = useRegistry();
  const names = useNames();
  const { type, id, attributes } = record;
  const title = titleFieldOf(registry[type]);
  const name = title && attributes?.[title];
  return (
    <ScopedLink to={recordPath(type, id)}>
      {name ? String(name) : `${names.type(type)} …${id.slice(-SHOWN)}`}
    </ScopedLink>
  );
}

const SHOWN = 8;

function ManyRelated({
  record,
  relation,
  label,
}: {
  readonly record: Resource;
  readonly relation: string;
  /** Name of the relation. */
  readonly label: string;
}) {
  const t = useTexts('records');
  const [isOpen, open] = useState(false);
  if (isOpen) return <RelatedRecords record={record} relation={relation} />;
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={`${t('show_related')}: ${label}`}
      onClick={() => open(true)}
    >
      {t('show_related')}
    </Button>
  );
}

function RelatedRecords({
  record,
  relation,
}: {
  readonly record: Resource;
  readonly relation: string;
}) {
  const common = useTexts('common');
  const related = useRelated(record.type, record.id, relation);
  if (related.error)
    return <ProblemAlert error={related.error} onRetry={() => void related.refetch()} />;
  if (!related.data) return <Loader size="xs" aria-label={common('loading')} />;
  if (related.data.data.length === 0) return common('none');
  return (
    <ul className={classes.related}>
      {related.data.data.map((it) => (
        <li key={it.id}>
          <RecordLink record={it} />
        </li>
      ))}
    </ul>
  );
}
