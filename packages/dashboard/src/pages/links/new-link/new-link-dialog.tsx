import { useState } from 'react';
import type { RecordOf } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { DialogFrame } from '../../../parts/form/dialog-frame.tsx';
import { LinkMade } from './link-made.tsx';
import { NewLinkForm } from './new-link-form.tsx';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Dialog for a new payment link. After the creation it shows the link. */
export function NewLinkDialog({ isOpen, onClose }: Props) {
  const t = useTexts('links');
  return (
    <DialogFrame isOpen={isOpen} onClose={onClose} isWide title={t('new_link')}>
      <Steps onClose={onClose} />
    </DialogFrame>
  );
}

function Steps({ onClose }: Pick<Props, 'onClose'>) {
  const [link, setLink] = useState<RecordOf<'payment_links'>>();
  return link ? (
    <LinkMade link={link} onClose={onClose} />
  ) : (
    <NewLinkForm onClose={onClose} onDone={setLink} />
  );
}
