import { ActionIcon, Menu } from '@mantine/core';
import type { ResourceType } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Icon } from '../value/icon.tsx';
import type { ColumnChoice } from './use-columns.tsx';

/** Chooses the visible columns. */
export function ColumnMenu<T extends ResourceType>({
  columns,
}: {
  readonly columns: ColumnChoice<T>;
}) {
  const t = useTexts('records');
  const shownKeys = new Set(columns.shown.map(({ key }) => key));
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={t('columns')} title={t('columns')}>
          <Icon name="columns" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {columns.all.map(({ key, title }) => (
          <Menu.CheckboxItem
            key={key}
            checked={shownKeys.has(key)}
            onChange={() => columns.toggle(key)}
          >
            {title}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
