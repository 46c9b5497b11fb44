import { Stack, Text } from '@mantine/core';
import { useTexts } from '../../../i18n/use-texts.ts';
import type { RunOutcome } from './outcome.ts';
import { useSumsText } from './use-sums-text.ts';

interface Props {
  readonly outcome: RunOutcome;
  /** Number of chosen payments that the plan left out. */
  readonly refusedCount: number;
}

/** Says what a run has done: how many refunds, of how much, and what to do next. */
export function RunSummary({ outcome, refusedCount }: Props) {
  const t = useTexts('payments');
  const sumsText = useSumsText();
  const kinds = (['sent', 'kept', 'unsure', 'unsent'] as const).filter(
    (kind) => outcome[kind].count > 0,
  );
  return (
    <Stack gap="xs" role="status">
      {kinds.map((kind) => {
        const { count, sums } = outcome[kind];
        return (
          <Text key={kind} size="sm">
            <strong>{t.count(`bulk_${kind}`, count, { amounts: sumsText(sums) })}</strong>{' '}
            {t(`bulk_${kind}_next`)}
          </Text>
        );
      })}
      {refusedCount > 0 && (
        <Text size="sm">
          <strong>{t.count('bulk_refused', refusedCount)}</strong> {t('bulk_refused_next')}
        </Text>
      )}
    </Stack>
  );
}
