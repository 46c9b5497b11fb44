import { useState } from 'react';
import type { RecordOf } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { DialogFrame } from '../../../parts/form/dialog-frame.tsx';
import { LinkMade } from './link-made.tsx';
import { type LinkCustomer, NewLinkForm } from './new-link-form.tsx';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Customer who pays. Without one, everyone with the link can pay. */
  readonly customer?: LinkCustomer;
}

/** Dialog for a new payment link. After the creation it shows the link. */
export function NewLinkDialog({ isOpen, onClose, ...options }: Props) {
  const t = useTexts('links');
  return (
    <DialogFrame isOpen={isOpen} onClose={onClose} isWide title={t('new_link')}>
      <Steps onClose={onClose} {...options} />
    </DialogFrame>
  );
}

function Steps({ onClose, ...options }: Omit<Props, 'isOpen'>) {
  const [link, setLink] = useState<RecordOf<'payment_links'>>();
  return link ? (
    <LinkMade link={link} onClose={onClose} />
  ) : (
    <NewLinkForm onClose={onClose} onDone={setLink} {...options} />
  );
}
