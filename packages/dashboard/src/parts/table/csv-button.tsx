import { ActionIcon } from '@mantine/core';
import type { Parameters } from '../../api/queries.ts';
import { useScope } from '../../api/scope.ts';
import type { ResourceType } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Icon } from '../value/icon.tsx';
import { exportAddress } from './export-address.ts';

interface Props {
  readonly type: ResourceType;
  /** Filter and sort parameters of the list. */
  readonly parameters: Parameters;
}

/** Downloads all rows of the list as CSV, with its filters and sorting. */
export function CsvButton({ type, parameters }: Props) {
  const t = useTexts('records');
  const scope = useScope();
  return (
    <ActionIcon
      component="a"
      href={exportAddress(scope, type, parameters)}
      download
      variant="default"
      size="lg"
      aria-label={t('export')}
      title={t('export')}
    >
      <Icon name="download" />
    </ActionIcon>
  );
}
