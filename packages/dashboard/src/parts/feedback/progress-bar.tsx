import { Progress, Text } from '@mantine/core';
import { useTexts } from '../../i18n/use-texts.ts';

const WHOLE = 100;

interface Props {
  readonly label: string;
  readonly done: number;
  /** Total amount of work; undefined while unknown. */
  readonly total: number | undefined;
}

/** Progress of a long operation. Screen readers announce every tenth. */
export function ProgressBar({ label, done, total }: Props) {
  const t = useTexts('common');
  const percent = total ? Math.min(WHOLE, Math.round((done / total) * WHOLE)) : 0;
  const announced = Math.floor(percent / 10) * 10;
  return (
    <div>
      <Text size="sm" role="status">
        {label} {total !== undefined && t('progress', { percent: announced })}
      </Text>
      <Progress.Root size="md" mt={4}>
        <Progress.Section
          value={total === undefined ? WHOLE : percent}
          animated={total === undefined || percent < WHOLE}
          aria-label={label}
        />
      </Progress.Root>
    </div>
  );
}
