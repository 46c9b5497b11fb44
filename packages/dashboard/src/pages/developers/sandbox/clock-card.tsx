import { Box, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../../../api/queries.ts';
import { useCan } from '../../../api/scope.ts';
import type { RecordOf } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { useNotify } from '../../../parts/feedback/notices.ts';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { ProgressBar } from '../../../parts/feedback/progress-bar.tsx';
import { ActionButton } from '../../../parts/form/action-button.tsx';
import { ConfirmDialog } from '../../../parts/form/confirm-dialog.tsx';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { recordPath } from '../../../parts/page/record-path.ts';
import { Section } from '../../../parts/record/section.tsx';
import { Instant } from '../../../parts/value/instant.tsx';
import { PERCENT, progressOf } from './clock-progress.ts';

const DAY_SECONDS = 86_400;
const STEPS = [1, 7, 31, 365] as const;
const SECOND_MS = 1_000;

interface Props {
  readonly clock: RecordOf<'sandbox_clocks'>;
}

/** A sandbox clock with buttons to advance it. */
export function ClockCard({ clock }: Props) {
  const t = useTexts('developers');
  const can = useCan();
  const { name, ahead_seconds } = clock.attributes;
  const customer = clock.relationships?.customer?.data;
  const owner = customer && 'id' in customer ? customer.id : undefined;
  const clock_time = new Date(Date.now() + ahead_seconds * SECOND_MS).toISOString();
  return (
    <Section title={name ?? t(owner ? 'clock_of_customer' : 'clock_of_merchant')}>
      <Text size="sm" mb="xs">
        {t('clock_there')} <Instant at={clock_time} />
        {owner && (
          <>
            {' · '}
            <ScopedLink to={recordPath('customers', owner)} underline="always">
              {t('clock_of_customer')}
            </ScopedLink>
          </>
        )}
      </Text>
      <AdvanceProgress clock={clock} />
      {can('developer.sandbox_clocks.update') && <ClockButtons clock={clock} />}
    </Section>
  );
}

function AdvanceProgress({ clock }: Props) {
  const t = useTexts('developers');
  if (clock.attributes.status !== 'advancing') return null;
  return (
    <Box mb="xs">
      <ProgressBar
        label={t('clock_advancing')}
        done={progressOf(clock.attributes)}
        total={PERCENT}
      />
    </Box>
  );
}

function ClockButtons({ clock }: Props) {
  const t = useTexts('developers');
  const advance = useAction('sandbox_clocks', clock.id, 'advance');
  const isBusy = clock.attributes.status !== 'ready' || advance.isPending;
  const advanceBy = (days: number) =>
    advance.mutate({ attributes: { by_seconds: days * DAY_SECONDS } });
  return (
    <>
      {advance.error && <ProblemAlert error={advance.error} />}
      <Group gap="xs">
        {STEPS.map((days) => (
          <Button
            key={days}
            size="xs"
            variant="default"
            disabled={isBusy}
            onClick={() => advanceBy(days)}
          >
            {t.count('clock_pass', days)}
          </Button>
        ))}
        <RemoveClock clock={clock} isBusy={isBusy} />
      </Group>
    </>
  );
}

function RemoveClock({ clock, isBusy }: Props & { readonly isBusy: boolean }) {
  const t = useTexts('developers');
  const notify = useNotify();
  const [isOpen, setOpen] = useState(false);
  const remove = useAction('sandbox_clocks', clock.id, 'remove');
  const onSuccess = () => {
    notify(t('clock_removed'));
    setOpen(false);
  };
  return (
    <>
      <ActionButton size="xs" isDestructive disabled={isBusy} onClick={() => setOpen(true)}>
        {t('clock_remove')}
      </ActionButton>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('clock_remove')}
        text={t('clock_remove_hint')}
        confirmText={t('clock_remove')}
        danger
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({}, { onSuccess })}
      />
    </>
  );
}
