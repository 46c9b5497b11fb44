import { Modal } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../feedback/loading.tsx';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly isWide?: boolean;
  /** There only while it is open: a form begins anew each time. */
  readonly children: ReactNode;
}

/** A window over the page, which stays as it is while texts of the window are fetched. The focus comes back after it. */
export function DialogFrame({ isOpen, onClose, title, isWide, children }: Props) {
  const t = useTexts('common');
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      {...(isWide && { size: 'lg' })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {isOpen && <Suspense fallback={<Loading />}>{children}</Suspense>}
    </Modal>
  );
}
