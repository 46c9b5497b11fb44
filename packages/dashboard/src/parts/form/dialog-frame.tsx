import { Modal } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../feedback/loading.tsx';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly isWide?: boolean;
  /** Content, mounted only while the dialog is open: each opening starts an empty form. */
  readonly children: ReactNode;
}

/** A dialog over the page. The page stays visible while the dialog's texts load, and gets the focus back. */
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
