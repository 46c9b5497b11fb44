import type { Parameters } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { DialogFrame } from '../../../parts/form/dialog-frame.tsx';
import { ExportForm } from './export-form.tsx';

interface Props {
  /** Filter and sort parameters of the payments. */
  readonly parameters: Parameters;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Choice of a file with payments. */
export function ExportDialog({ parameters, isOpen, onClose }: Props) {
  const t = useTexts('payments');
  return (
    <DialogFrame isOpen={isOpen} onClose={onClose} title={t('export_title')}>
      <ExportForm parameters={parameters} onDone={onClose} />
    </DialogFrame>
  );
}
