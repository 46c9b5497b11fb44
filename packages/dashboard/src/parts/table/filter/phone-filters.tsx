import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useId } from 'react';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Icon } from '../../value/icon.tsx';
import classes from './phone-filters.module.css';

/** Filters that hide behind a button on a phone, so that the rows come first. */
export function PhoneFilters({ children }: { readonly children: ReactNode }) {
  const t = useTexts('records');
  const id = useId();
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <>
      <Button
        hiddenFrom="sm"
        variant="default"
        mb="sm"
        leftSection={<Icon name="filter" size={15} />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      >
        {t('filters')}
      </Button>
      <div id={id} className={classes.filters} data-open={isOpen}>
        {children}
      </div>
    </>
  );
}
