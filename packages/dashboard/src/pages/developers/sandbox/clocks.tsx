import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useCan } from '../../../api/scope.ts';
import type { RecordOf } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { EmptyState } from '../../../parts/feedback/empty-state.tsx';
import { Loading } from '../../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { CreateDialog } from '../../../parts/form/create-dialog.tsx';
import { usePolledList } from '../use-polled-list.ts';
import { ClockCard } from './clock-card.tsx';

type Clock = RecordOf<'sandbox_clocks'>;

const isBusy = ({ attributes }: Clock): boolean => attributes.status === 'advancing';
const isCounted = ({ attributes }: Clock): boolean => attributes.status !== 'removed';
const PARAMETERS = { 'page[size]': '100' };

/** Sandbox timelines of the merchant and of customers. */
export function Clocks() {
  const t = useTexts('developers');
  const can = useCan();
  const [isOpen, setOpen] = useState(false);
  const clocks = usePolledList('sandbox_clocks', PARAMETERS, isBusy);
  const shownClocks = clocks.data?.filter(isCounted) ?? [];
  const button = can('developer.sandbox_clocks.create') && (
    <Button onClick={() => setOpen(true)}>{t('clock_new')}</Button>
  );
  return (
    <Stack align="flex-start">
      {clocks.error && <ProblemAlert error={clocks.error} onRetry={() => void clocks.refetch()} />}
      {clocks.isPending && <Loading />}
      {clocks.isSuccess && shownClocks.length === 0 ? (
        <EmptyState title={t('clocks_none')} hint={t('clocks_none_hint')} action={button} />
      ) : (
        button
      )}
      {shownClocks.map((clock) => (
        <ClockCard key={clock.id} clock={clock} />
      ))}
      <CreateDialog
        type="sandbox_clocks"
        title={t('clock_new')}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      />
    </Stack>
  );
}
