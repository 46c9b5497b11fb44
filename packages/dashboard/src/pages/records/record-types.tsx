import { permissionSlug } from '@florin/contract/permissions.ts';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useRegistry } from '../../api/registry.ts';
import { useCan } from '../../api/scope.ts';
import type { ResourceType } from '../../api/types.ts';
import { useSummary } from '../../i18n/use-help.tsx';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { listPath } from '../../parts/page/record-path.ts';
import { SimpleTable } from '../../parts/table/simple-table.tsx';

/** Types of the interface that the person may read. */
export function RecordTypes() {
  const t = useTexts('records');
  const summaryOf = useSummary();
  const [searchText, setWanted] = useState('');
  const types = useReadable(searchText);
  return (
    <>
      <PageTitle title={t('all_types')} />
      <TextInput
        label={t('search_types')}
        description={t('all_types_hint')}
        value={searchText}
        onChange={({ currentTarget }) => setWanted(currentTarget.value)}
        mb="md"
        maw={480}
      />
      <SimpleTable
        label={t('all_types')}
        heads={[t('type'), t('what_it_is')]}
        rows={types.map(({ type, name, summary }) => ({
          key: type,
          cells: [
            <ScopedLink key="type" to={listPath(type)}>
              {name}
            </ScopedLink>,
            summaryOf({ type, summary }),
          ],
        }))}
      />
    </>
  );
}

function useReadable(wanted: string) {
  const registry = useRegistry();
  const names = useNames();
  const can = useCan();
  const text = wanted.trim().toLowerCase();
  return Object.values(registry)
    .filter(({ operations }) => operations.includes('list'))
    .filter((definition) => can(permissionSlug(definition, 'read')))
    .map(({ type, summary }) => ({ type: type as ResourceType, name: names.type(type), summary }))
    .filter(({ type, name }) => `${type} ${name}`.toLowerCase().includes(text))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}
