import { Alert } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTexts } from '../../../i18n/use-texts.ts';
import { useMergesInto } from './use-merges.ts';

/** Says that figures and lists are partial while a merge moves records to this customer. Reads them again afterwards. */
export function MovingAlert({ target }: { readonly target: string }) {
  const t = useTexts('customers');
  const queries = useQueryClient();
  const { isMoving: moves } = useMergesInto(target);
  const moved = useRef(false);
  useEffect(() => {
    if (moved.current && !moves) void queries.invalidateQueries();
    moved.current = moves;
  }, [moves, queries]);
  if (!moves) return null;
  return (
    <Alert role="status" color="yellow" variant="light">
      {t('merge_partial')}
    </Alert>
  );
}
