import type { Resource as Definition } from '@florin/contract/resources/define-resource.ts';
import { Button, Group, Pill, Popover } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Parameters } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Icon } from '../../value/icon.tsx';
import { FilterForm } from './filter-form.tsx';
import { useFilterText } from './filter-text.ts';
import { keyOfFilter, readFilters, withoutFilter, withoutFilters } from './filters.ts';
import { type OwnFilters, withoutOwn } from './own-filters.ts';

interface Props {
  readonly definition: Definition;
  readonly search: Parameters;
  readonly change: (changes: Parameters) => void;
  readonly own?: OwnFilters | undefined;
}

/** Filters of a list, with buttons to add and remove them. */
export function FilterBar(props: Props) {
  const { definition, search, change, own } = props;
  const t = useTexts('records');
  const textOf = useFilterText(definition, search);
  const filters = readFilters(search).filter((filter) => !own?.keys.has(keyOfFilter(filter)));
  const clear = () => change({ ...withoutFilters(search), ...(own && withoutOwn(own)) });
  return (
    <Group gap="xs" component="section" aria-label={t('filters')}>
      {own?.chips}
      <AddFilter {...props} />
      {filters.map((filter) => (
        <FilterPill
          key={keyOfFilter(filter)}
          text={textOf(filter)}
          onRemove={() => change(withoutFilter(filter, search, definition.fields))}
        />
      ))}
      {filters.length + (own?.count ?? 0) > 1 && (
        <Button variant="subtle" size="compact-sm" onClick={clear}>
          {t('filter_clear')}
        </Button>
      )}
    </Group>
  );
}

function AddFilter({ definition, search, change, own }: Props) {
  const t = useTexts('records');
  const [isOpen, { toggle, close }] = useDisclosure(false);
  return (
    <Popover
      opened={isOpen}
      onChange={close}
      position="bottom-start"
      width={320}
      trapFocus
      withinPortal
    >
      <Popover.Target>
        <Button
          variant="default"
          size={own ? 'xs' : 'sm'}
          leftSection={<Icon name="filter" size={15} />}
          onClick={toggle}
        >
          {t(own ? 'filter_more' : 'filter_add')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <FilterForm
          definition={definition}
          search={search}
          onApply={(changes) => {
            close();
            change(changes);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function FilterPill({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }) {
  const t = useTexts('records');
  return (
    <Pill
      size="md"
      withRemoveButton
      onRemove={onRemove}
      removeButtonProps={{
        'aria-label': t('filter_remove', { filter: text }),
        'aria-hidden': false,
        tabIndex: 0,
      }}
    >
      {text}
    </Pill>
  );
}
