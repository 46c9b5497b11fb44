import { permissionSlug } from '@florin/contract/permissions.ts';
import { useState } from 'react';
import type { FetchedRecord } from '../../../api/queries.ts';
import { useRegistry } from '../../../api/registry.ts';
import { useCan } from '../../../api/scope.ts';
import type { Resource } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ActionButton } from '../../../parts/form/action-button.tsx';
import { destructiveLast, isDestructive } from '../../../parts/form/destructive-actions.ts';
import { EditDialog } from '../../../parts/form/edit-dialog.tsx';
import { offeredActions } from '../../../parts/record/offered-actions.ts';
import { historyOf } from './history.ts';
import { MoneyDialog } from './money-dialog.tsx';
import { PaymentActionDialog, type PlainAction } from './payment-action-dialog.tsx';

interface Props {
  readonly fetched: FetchedRecord<'payment_demands'>;
  readonly reload: () => void;
}

const labels = {
  update: 'do_update',
  confirm: 'do_confirm',
  cancel: 'do_cancel',
  void: 'do_void',
  capture: 'do_capture',
  refund: 'do_refund',
} as const;

type PaymentAction = keyof typeof labels;
const isKnown = (name: string): name is PaymentAction => name in labels;
const isPlainAction = (name: PaymentAction): name is PlainAction =>
  name === 'confirm' || name === 'cancel' || name === 'void';

/** Buttons for the actions that the payment's state and the person's permissions allow. */
export function PaymentActions({ fetched, reload }: Props) {
  const t = useTexts('payments');
  const [open, setOpen] = useState<PaymentAction>();
  const { record, included } = fetched;
  const { isAccountRemoved, isCapturedOnce } = historyOf(included);
  const offeredNames = useOffered(record as Resource).filter(
    (name) => name !== 'refund' || !isAccountRemoved,
  );
  const isRetry = record.attributes.status === 'failed';
  const close = () => setOpen(undefined);
  return (
    <>
      {offeredNames.map((name) => (
        <ActionButton key={name} isDestructive={isDestructive(name)} onClick={() => setOpen(name)}>
          {t(name === 'confirm' && isRetry ? 'do_retry' : labels[name])}
        </ActionButton>
      ))}
      {offeredNames.map((name) => {
        const shared = { payment: record, isOpen: open === name, onClose: close };
        if (isPlainAction(name))
          return <PaymentActionDialog key={name} action={name} {...shared} />;
        if (name !== 'update')
          return <MoneyDialog key={name} kind={name} isCapturedOnce={isCapturedOnce} {...shared} />;
        return (
          <EditDialog
            key={name}
            type="payment_demands"
            fetched={fetched}
            reload={reload}
            isOpen={open === name}
            onClose={close}
          />
        );
      })}
    </>
  );
}

function useOffered(payment: Resource): readonly PaymentAction[] {
  const registry = useRegistry();
  const can = useCan();
  const names = offeredActions(registry.payment_demands, payment)
    .filter(({ on, access }) => can(permissionSlug(registry[on], access)))
    .map(({ name }) => name)
    .filter(isKnown);
  return destructiveLast(names, (name) => name);
}
