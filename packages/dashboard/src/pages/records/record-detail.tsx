import type { Resource as Definition } from '@florin/contract/resources/define-resource.ts';
import { Alert, Breadcrumbs } from '@mantine/core';
import { useRecord } from '../../api/queries.ts';
import { isResourceType, useRegistry } from '../../api/registry.ts';
import type { Resource, ResourceType } from '../../api/types.ts';
import { type Names, useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { ScopedLink } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { listPath } from '../../parts/page/record-path.ts';
import { useParameter } from '../../parts/page/search.ts';
import { RecordActions } from '../../parts/record/record-actions.tsx';
import { RecordView } from '../../parts/record/record-view.tsx';
import { includedByKey, relatedOf } from '../../parts/table/column.ts';
import { titleFieldOf } from '../../parts/table/default-columns.ts';
import { currencyRelationOf } from '../../parts/value/currency-of.ts';
import { isState } from '../../parts/value/is-state.ts';
import { StateBadge } from '../../parts/value/state-badge.tsx';
import { useCurrencyInclude } from './use-currency-include.ts';

/** A record of any type. */
export function RecordDetail() {
  const t = useTexts('records');
  const registry = useRegistry();
  const type = useParameter('type');
  const id = useParameter('id');
  if (!isResourceType(registry, type)) return <PageTitle title={t('unknown_type')} />;
  return <DetailOf key={id} type={type} id={id} definition={registry[type]} />;
}

interface Props {
  readonly type: ResourceType;
  readonly id: string;
  readonly definition: Definition;
}

function DetailOf({ type, id, definition }: Props) {
  const names = useNames();
  const relation = currencyRelationOf(type);
  const query = useRecord(type, id, useCurrencyInclude(type));
  const record = query.data?.record as Resource | undefined;
  const related = record && relatedOf(record, includedByKey(query.data?.included ?? []));
  const currency = relation && related?.(relation)?.attributes.amount_currency;
  const reload = () => void query.refetch();
  return (
    <>
      <Breadcrumbs mb="xs">
        {definition.operations.includes('list') && (
          <ScopedLink to={listPath(type)}>{names.type(type)}</ScopedLink>
        )}
      </Breadcrumbs>
      <PageTitle
        title={(record && titleOf(definition, record, names)) ?? names.type(type)}
        aside={record && <State definition={definition} record={record} />}
        actions={query.data && <RecordActions type={type} fetched={query.data} reload={reload} />}
      />
      {query.error && <ProblemAlert error={query.error} onRetry={reload} />}
      {query.isPending && <Loading />}
      {record?.attributes.dry_run === true && <PreviewNotice />}
      {record && <RecordView record={record} currency={currency ? String(currency) : undefined} />}
    </>
  );
}

/** A preview has the amounts of a change, so that it looks like one. */
function PreviewNotice() {
  const t = useTexts('records');
  return (
    <Alert variant="light" color="blue" title={t('preview_only')} mb="md">
      {t('preview_only_text')}
    </Alert>
  );
}

function titleOf(
  definition: Definition,
  { attributes }: Resource,
  names: Names,
): string | undefined {
  const title = titleFieldOf(definition);
  const text = title && attributes[title];
  if (!text) return undefined;
  return title === 'code' ? names.value(String(text)) : String(text);
}

function State({ definition, record }: StateProps) {
  const { attributes } = record;
  const name = ['status', 'state'].find((it) => {
    const field = definition.fields[it];
    return field && attributes[it] && isState(it, field);
  });
  return name ? <StateBadge state={String(attributes[name])} /> : null;
}

interface StateProps {
  readonly definition: Definition;
  readonly record: Resource;
}
