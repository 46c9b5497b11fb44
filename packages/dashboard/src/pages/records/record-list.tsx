import { permissionSlug } from '@florin/contract/permissions.ts';
import type { Resource as Definition } from '@florin/contract/resources/define-resource.ts';
import { Button, Text } from '@mantine/core';
import { isResourceType, useRegistry } from '../../api/registry.ts';
import { useCan } from '../../api/scope.ts';
import type { ResourceType } from '../../api/types.ts';
import { useSummary } from '../../i18n/use-help.tsx';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EmptyState } from '../../parts/feedback/empty-state.tsx';
import { CreateDialog } from '../../parts/form/create-dialog.tsx';
import { useGo } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { recordPath } from '../../parts/page/record-path.ts';
import { useParameter } from '../../parts/page/search.ts';
import { useNewDialog } from '../../parts/page/use-new-dialog.ts';
import { ResourceTable } from '../../parts/table/resource-table.tsx';
import { Icon } from '../../parts/value/icon.tsx';
import { useCurrencyInclude } from './use-currency-include.ts';

/** List of any type. */
export function RecordList() {
  const t = useTexts('records');
  const registry = useRegistry();
  const type = useParameter('type');
  if (!isResourceType(registry, type)) return <PageTitle title={t('unknown_type')} />;
  return <ListOf key={type} type={type} definition={registry[type]} />;
}

function ListOf({
  type,
  definition,
}: {
  readonly type: ResourceType;
  readonly definition: Definition;
}) {
  const t = useTexts('records');
  const names = useNames();
  const summaryOf = useSummary();
  const can = useCan();
  const go = useGo();
  const [isOpen, { open, close }] = useNewDialog();
  const include = useCurrencyInclude(type);
  const isCreated = definition.operations.includes('create');
  return (
    <>
      <PageTitle
        title={names.type(type)}
        actions={
          isCreated &&
          can(permissionSlug(definition, 'create')) && (
            <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
              {t('new')}
            </Button>
          )
        }
      />
      <CreateDialog
        type={type}
        isOpen={isOpen}
        onClose={close}
        onDone={({ id }) => go(recordPath(type, id))}
      />
      <Text c="dimmed" size="sm" mb="md">
        {summaryOf(definition)}
      </Text>
      {can(permissionSlug(definition, 'read')) && (
        <ResourceTable
          type={type}
          label={names.type(type)}
          fixed={include}
          empty={<EmptyState title={t('empty')} {...(!isCreated && { hint: t('no_create') })} />}
        />
      )}
    </>
  );
}
