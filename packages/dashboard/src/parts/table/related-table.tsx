import { permissionSlug } from '@florin/contract/permissions.ts';
import type { ReactNode } from 'react';
import type { Parameters } from '../../api/queries.ts';
import { useRegistry } from '../../api/registry.ts';
import { useCan } from '../../api/scope.ts';
import type { ResourceType } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Section } from '../record/section.tsx';
import type { Column } from './column.ts';
import { ResourceTable } from './resource-table.tsx';
import type { RowName } from './row/row-name.ts';

interface Props<T extends ResourceType> {
  readonly type: T;
  readonly title: string;
  /** Filter for the related rows: `{ 'filter[payer]': id }`. */
  readonly fixed: Parameters;
  readonly columns?: readonly Column<T>[];
  /** Names of the rows, as in `ResourceTable`. */
  readonly rowName?: RowName<T>;
  /** Content for an empty table. */
  readonly empty?: ReactNode;
}

/** Table of records that belong to the page's record, if the person may read them. */
export function RelatedTable<T extends ResourceType>(props: Props<T>) {
  const { type, title, fixed, columns, empty, rowName } = props;
  const common = useTexts('common');
  const definition = useRegistry()[type];
  const can = useCan();
  if (!can(permissionSlug(definition, 'read'))) return null;
  return (
    <Section title={title}>
      <ResourceTable
        type={type}
        label={title}
        fixed={fixed}
        {...(columns && { columns })}
        rowName={rowName}
        empty={empty ?? common('none')}
        plain
      />
    </Section>
  );
}
