import { useState } from 'react';
import type { FetchedRecord } from '../../api/queries.ts';
import { useCan } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ActionButton } from '../../parts/form/action-button.tsx';
import { EditDialog } from '../../parts/form/edit-dialog.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { ChangePlanDialog } from './change-dialog.tsx';
import { CustomerLinkDialog } from './customer-link-dialog.tsx';
import { offeredTo, type SubscriptionAction } from './offered.ts';
import { SimpleDialog } from './simple-dialog.tsx';

interface Props {
  readonly fetched: FetchedRecord<'payment_subscriptions'>;
  readonly reload: () => void;
}

/** Buttons for the actions that the state and the person's permissions allow. */
export function SubscriptionActions({ fetched, reload }: Props) {
  const t = useTexts('subscriptions');
  const can = useCan();
  const [open, setOpen] = useState<SubscriptionAction>();
  const offeredNames = offeredTo(fetched.record).filter((name) =>
    can(
      name === 'change'
        ? 'transaction.subscription_changes.create'
        : 'transaction.payment_subscriptions.update',
    ),
  );
  const close = () => setOpen(undefined);
  return (
    <>
      {offeredNames.map((name) => (
        <ActionButton key={name} isDestructive={name === 'cancel'} onClick={() => setOpen(name)}>
          {t(`do_${name}`)}
        </ActionButton>
      ))}
      {open && <OpenDialog name={open} fetched={fetched} reload={reload} onClose={close} />}
    </>
  );
}

interface DialogProps extends Props {
  readonly name: SubscriptionAction;
  readonly onClose: () => void;
}

function OpenDialog({ name, fetched, reload, onClose }: DialogProps) {
  const shared = { subscription: fetched.record, onClose };
  switch (name) {
    case 'change':
      return <ChangePlanDialog {...shared} />;
    case 'cancel':
      return <CancelDialog {...shared} etag={fetched.etag} />;
    case 'customer_link':
      return <CustomerLinkDialog {...shared} />;
    case 'update':
      return (
        <EditDialog
          type="payment_subscriptions"
          fetched={fetched}
          reload={reload}
          isOpen
          onClose={onClose}
        />
      );
    default:
      return <SimpleDialog {...shared} name={name} etag={fetched.etag} />;
  }
}
