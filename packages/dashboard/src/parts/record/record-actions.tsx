import { permissionSlug } from '@florin/contract/permissions.ts';
import type { Resource as Definition } from '@florin/contract/resources/define-resource.ts';
import { useState } from 'react';
import type { FetchedRecord } from '../../api/queries.ts';
import { useRegistry } from '../../api/registry.ts';
import { useCan } from '../../api/scope.ts';
import type { Resource, ResourceType } from '../../api/types.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ActionButton } from '../form/action-button.tsx';
import { ActionDialog } from '../form/action-dialog.tsx';
import { CreateDialog } from '../form/create-dialog.tsx';
import { destructiveLast, isDestructive } from '../form/destructive-actions.ts';
import { EditDialog } from '../form/edit-dialog.tsx';
import { offeredActions } from './offered-actions.ts';

interface Props<T extends ResourceType> {
  readonly type: T;
  readonly fetched: FetchedRecord<T>;
  readonly reload: () => void;
  /** Actions to hide if the record does not list its own. */
  readonly without?: readonly string[];
  /** Actions whose result the page reports, so that their start needs no notice. */
  readonly reportedByPage?: readonly string[];
}

/** Buttons for the actions that the record's state and the person's permissions allow. */
export function RecordActions<T extends ResourceType>(props: Props<T>) {
  const { type, fetched, reload, without = [], reportedByPage = [] } = props;
  const registry = useRegistry();
  const definition = registry[type] as Definition;
  const t = useTexts('records');
  const names = useNames();
  const can = useCan();
  const [open, setOpen] = useState<string>();
  const record = fetched.record as Resource;
  const allowedActions = offeredActions(definition, record).filter(
    ({ name, on, access }) => !without.includes(name) && can(permissionSlug(registry[on], access)),
  );
  const offeredNames = destructiveLast(allowedActions, ({ name }) => name);
  const close = () => setOpen(undefined);
  return (
    <>
      {offeredNames.map(({ name }) => (
        <ActionButton key={name} isDestructive={isDestructive(name)} onClick={() => setOpen(name)}>
          {name === 'update' ? t('edit') : names.value(name)}
        </ActionButton>
      ))}
      {offeredNames.map(({ name, kind, on }) => {
        const shared = { isOpen: open === name, onClose: close };
        const action = definition.actions?.[name];
        if (kind === 'update') {
          return (
            <EditDialog key={name} type={type} fetched={fetched} reload={reload} {...shared} />
          );
        }
        if (kind === 'action' && action) {
          return (
            <ActionDialog
              key={name}
              record={record}
              name={name}
              action={action}
              isSilent={reportedByPage.includes(name)}
              {...shared}
            />
          );
        }
        return <FollowUpDialog key={name} record={record} name={name} type={on} {...shared} />;
      })}
    </>
  );
}

interface FollowUpProps {
  readonly record: Resource;
  readonly name: string;
  readonly type: ResourceType;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Dialog for a refund or a capture. Default: the remaining amount. */
function FollowUpDialog({ record, name, type, isOpen, onClose }: FollowUpProps) {
  const names = useNames();
  const { attributes } = record;
  const remainingCents =
    name === 'refund' ? attributes.amount_refundable_cents : attributes.amount_capturable_cents;
  const currency = String(attributes.amount_currency ?? '') || undefined;
  return (
    <CreateDialog
      type={type}
      title={names.value(name)}
      isOpen={isOpen}
      onClose={onClose}
      only={['amount_cents', 'reason', 'reason_note']}
      preset={{ amount_cents: remainingCents, amount_currency: currency }}
      links={{ payment_demand: record.id }}
      currency={currency}
    />
  );
}
