import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Parameters } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Icon } from '../../../parts/value/icon.tsx';
import { ExportDialog } from './export-dialog.tsx';

interface Props {
  readonly parameters: Parameters;
  /** Names the search and filters of the list; empty without any. */
  readonly listed: string;
}

/** Exports the payments of the list. */
export function ExportButton({ parameters, listed }: Props) {
  const payments = useTexts('payments');
  const t = useTexts('records');
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={t('export')}
        title={t('export')}
        onClick={open}
      >
        <Icon name="download" />
      </ActionIcon>
      <ExportDialog
        title={listed ? payments('export_title_of', { listed }) : payments('export_title')}
        parameters={parameters}
        isOpen={isOpen}
        onClose={close}
      />
    </>
  );
}
