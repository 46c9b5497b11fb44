import type { Parameters } from '../../../api/queries.ts';
import { DialogFrame } from '../../../parts/form/dialog-frame.tsx';
import { ExportForm } from './export-form.tsx';

interface Props {
  /** Says which payments the file has. */
  readonly title: string;
  /** Filter and sort parameters of the payments. */
  readonly parameters: Parameters;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Choice of a file with payments. */
export function ExportDialog({ title, parameters, isOpen, onClose }: Props) {
  return (
    <DialogFrame isOpen={isOpen} onClose={onClose} title={title}>
      <ExportForm parameters={parameters} onDone={onClose} />
    </DialogFrame>
  );
}
