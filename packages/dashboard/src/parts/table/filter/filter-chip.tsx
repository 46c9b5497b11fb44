import { Button, Popover } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Icon } from '../../value/icon.tsx';

interface Props {
  readonly label: string;
  /** The filter's value in words; undefined without a filter. */
  readonly value: string | undefined;
  readonly onRemove: () => void;
  /** Form of the filter. */
  readonly children: (close: () => void) => ReactNode;
}

/** A filter as a button that shows its value and opens its form, with a button that removes the filter. */
export function FilterChip({ label, value, onRemove, children }: Props) {
  const t = useTexts('records');
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const text = value === undefined ? label : t('filter_chip', { field: label, value });
  return (
    <Button.Group>
      <Popover
        opened={isOpen}
        onChange={close}
        position="bottom-start"
        width={280}
        trapFocus
        withinPortal
      >
        <Popover.Target>
          <Button
            size="xs"
            variant={value === undefined ? 'default' : 'light'}
            rightSection={<Icon name="down" size={12} />}
            onClick={toggle}
          >
            {text}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>{children(close)}</Popover.Dropdown>
      </Popover>
      {value !== undefined && (
        <Button
          size="xs"
          px={8}
          variant="light"
          aria-label={t('filter_remove', { filter: text })}
          onClick={onRemove}
        >
          <Icon name="close" size={12} />
        </Button>
      )}
    </Button.Group>
  );
}
