import { Modal } from '@mantine/core';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
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
  useFocusBack(isOpen);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      {...(isWide && { size: 'lg' })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {isOpen && (
        <Suspense fallback={<Loading />}>
          {children}
          <StartAtField />
        </Suspense>
      )}
    </Modal>
  );
}

/** Longer than Mantine takes to move the focus into a dialog, and back from one that stays mounted. */
const FOCUS_WAIT_MS = 20;

/** Gives the focus back to the element that had it, also where the dialog is removed with its content. */
function useFocusBack(isOpen: boolean): void {
  useEffect(() => {
    const opener = document.activeElement;
    if (!isOpen || !(opener instanceof HTMLElement)) return;
    return () =>
      void setTimeout(() => {
        if (document.activeElement === document.body) opener.focus({ preventScroll: true });
      }, FOCUS_WAIT_MS);
  }, [isOpen]);
}

const FIELD = 'input:enabled:not([type="hidden"]), select:enabled, textarea:enabled';

/** Moves the focus from the close button, where Mantine puts it, to the first field. */
function StartAtField() {
  const end = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      const dialog = end.current?.closest('[role="dialog"]');
      const isAtClose = dialog?.querySelector('header')?.contains(document.activeElement);
      const field = dialog?.querySelector<HTMLInputElement>(FIELD);
      const checked = dialog?.querySelector<HTMLInputElement>('input[type="radio"]:checked');
      if (isAtClose) (field?.type === 'radio' ? (checked ?? field) : field)?.focus();
    }, FOCUS_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return <span ref={end} hidden />;
}
