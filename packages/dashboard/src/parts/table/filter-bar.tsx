import type { Resource as Definition } from '@florin/contract/resources/define-resource.ts';
import { Button, Group, Pill, Popover } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Parameters } from '../../api/queries.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Icon } from '../value/icon.tsx';
import { FilterForm } from './filter-form.tsx';
import { useFilterText } from './filter-text.ts';
import { keyOfFilter, readFilters, withoutFilters, writeFilter } from './filters.ts';

interface Props {
  readonly definition: Definition;
  readonly search: Parameters;
  readonly change: (changes: Parameters) => void;
}

/** The filters of a list: each can be taken off, and others put on. */
export function FilterBar({ definition, search, change }: Props) {
  const t = useTexts('records');
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const textOf = useFilterText(definition);
  const filters = readFilters(search);
  return (
    <Group gap="xs" component="section" aria-label={t('filters')}>
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
            size="sm"
            leftSection={<Icon name="filter" size={15} />}
            onClick={toggle}
          >
            {t('filter_add')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <FilterForm
            definition={definition}
            onApply={(filter) => {
              close();
              change(writeFilter(filter));
            }}
          />
        </Popover.Dropdown>
      </Popover>
      {filters.map((filter) => (
        <Pill
          key={keyOfFilter(filter)}
          size="md"
          withRemoveButton
          onRemove={() => change({ [keyOfFilter(filter)]: '' })}
          removeButtonProps={{
            'aria-label': t('filter_remove', { filter: textOf(filter) }),
            'aria-hidden': false,
            tabIndex: 0,
          }}
        >
          {textOf(filter)}
        </Pill>
      ))}
      {filters.length > 1 && (
        <Button variant="subtle" size="compact-sm" onClick={() => change(withoutFilters(search))}>
          {t('filter_clear')}
        </Button>
      )}
    </Group>
  );
}
