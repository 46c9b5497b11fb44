import { Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Method } from '../../api/client.ts';
import { useDashboardWrite } from '../../api/queries.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.tsx';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** Effect of the action, and whether it can be undone. */
  readonly text: string;
  /** Path below `/dashboard/api/operator/`. */
  readonly path: string;
  readonly method?: Method;
  /** Request body in addition to the reason. */
  readonly body?: object;
  readonly danger?: boolean;
  /** Omits the reason, for actions that do not notify the merchant. */
  readonly isPlain?: boolean;
  /** Additional inputs. */
  readonly children?: ReactNode;
}

const REASON_MAX = 2000;

/** Asks an operator for a reason, then runs the action. */
export function OrderDialog(props: Props) {
  const { isOpen, title, text, danger, isPlain, children } = props;
  const { order, reason, setReason, send, close } = useOrder(props);
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={title}
      text={text}
      confirmText={title}
      {...(danger && { danger })}
      isPending={order.isPending}
      error={order.error}
      onConfirm={send}
    >
      {children}
      {!isPlain && <Reason value={reason} onChange={setReason} />}
    </ConfirmDialog>
  );
}

function useOrder({ title, path, method = 'POST', body, isPlain, onClose }: Props) {
  const t = useTexts('operator');
  const notify = useNotify();
  const order = useDashboardWrite(`operator/${path}`, method);
  const [reason, setReason] = useState('');
  const close = () => {
    order.reset();
    setReason('');
    onClose();
  };
  const onSuccess = () => {
    notify(t('done', { what: title }));
    close();
  };
  const send = () => order.mutate({ ...body, ...(!isPlain && { reason }) }, { onSuccess });
  return { order, reason, setReason, send, close };
}

interface ReasonProps {
  readonly value: string;
  readonly onChange: (reason: string) => void;
}

function Reason({ value, onChange }: ReasonProps) {
  const t = useTexts('operator');
  return (
    <Textarea
      label={t('reason')}
      description={t('reason_hint')}
      required
      autosize
      minRows={2}
      maxLength={REASON_MAX}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
