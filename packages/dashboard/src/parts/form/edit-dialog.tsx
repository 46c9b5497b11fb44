import { Stack } from '@mantine/core';
import { type FetchedRecord, useUpdate } from '../../api/queries.ts';
import { useRegistry } from '../../api/registry.ts';
import type { AnyAttributes, ResourceType } from '../../api/types.ts';
import { usePreloadedHelp } from '../../i18n/use-help.tsx';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../feedback/notices.ts';
import { currencyOf } from '../value/currency-of.ts';
import { DialogFrame } from './dialog-frame.tsx';
import { writableFields } from './form-values.ts';
import { RecordForm } from './record-form.tsx';
import { isStale, Stale, useEditedRecord } from './stale.tsx';

interface Props<T extends ResourceType> {
  readonly type: T;
  readonly fetched: FetchedRecord<T>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Fields of the form. Default: all fields that an update may set. */
  readonly only?: readonly string[];
  /** Title of the dialog. Default: the name of the type. */
  readonly title?: string;
  /** Reads the record again after another person changed it. */
  readonly reload: () => void;
}

/** Edits a record in a dialog. Never overwrites changes of other people. */
export function EditDialog<T extends ResourceType>(props: Props<T>) {
  const { type, isOpen, onClose, title } = props;
  const t = useTexts('records');
  const names = useNames();
  usePreloadedHelp();
  return (
    <DialogFrame
      isOpen={isOpen}
      onClose={onClose}
      isWide
      title={title ?? t('edit_title', { type: names.type(type) })}
    >
      <EditForm {...props} />
    </DialogFrame>
  );
}

function EditForm<T extends ResourceType>({ type, fetched, only, onClose, reload }: Props<T>) {
  const t = useTexts('records');
  const notify = useNotify();
  const definition = useRegistry()[type];
  const { edited, version, takeNext } = useEditedRecord(fetched);
  const { record, etag } = edited;
  const update = useUpdate(type, record.id, etag);
  const renewRecord = () => {
    update.reset();
    takeNext('restarted');
    reload();
  };
  const fields = Object.entries(writableFields(definition.fields, 'update')).filter(
    ([name]) => only?.includes(name) ?? true,
  );
  return (
    <Stack>
      {isStale(update.error) && <Stale onReload={renewRecord} />}
      <RecordForm
        key={version}
        fields={Object.fromEntries(fields)}
        attributes={record.attributes as AnyAttributes}
        currency={currencyOf('amount_cents', record.attributes as AnyAttributes)}
        submitText={t('save')}
        error={update.error}
        isPending={update.isPending}
        onCancel={onClose}
        onSubmit={(draft) =>
          update.mutate(draft, {
            onSuccess: () => {
              notify(t('saved'));
              onClose();
            },
          })
        }
      />
    </Stack>
  );
}
