import { useBlocker } from '@tanstack/react-router';
import { type RefObject, useState } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import type { FormHandle } from './record-form.tsx';

type FormRef = RefObject<FormHandle | null>;

interface LeaveDialogProps {
  readonly isOpen: boolean;
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

function LeaveDialog({ isOpen, onStay, onLeave }: LeaveDialogProps) {
  const t = useTexts('records');
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onStay}
      title={t('leave_title')}
      text={t('leave_text')}
      confirmText={t('leave')}
      danger
      onConfirm={onLeave}
    />
  );
}

/** Asks for confirmation before the person leaves a page with unsaved input. */
export function LeaveGuard({ form }: { readonly form: FormRef }) {
  const isChanged = () => form.current?.isChanged() ?? false;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: isChanged,
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  return (
    <LeaveDialog
      isOpen={status === 'blocked'}
      onStay={() => reset?.()}
      onLeave={() => proceed?.()}
    />
  );
}

/** Asks for confirmation before a part of a page with unsaved input is replaced. */
export function useLeaveGuard(form: FormRef) {
  const [leave, setLeave] = useState<() => void>();
  const close = () => setLeave(undefined);
  const dialog = (
    <LeaveDialog
      isOpen={leave !== undefined}
      onStay={close}
      onLeave={() => {
        close();
        leave?.();
      }}
    />
  );
  const confirmLeave = (next: () => void) =>
    form.current?.isChanged() ? setLeave(() => next) : next();
  return { ask: confirmLeave, dialog };
}
