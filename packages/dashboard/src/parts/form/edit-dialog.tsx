import { Alert, Button, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import { isStatus } from '../../api/errors.ts';
import { type Fetched, useUpdate } from '../../api/queries.ts';
import { useRegistry } from '../../api/registry.ts';
import type { AnyAttributes, ResourceType } from '../../api/types.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../feedback/notices.ts';
import { writableFields } from './form-values.ts';
import { RecordForm } from './record-form.tsx';

interface Props<T extends ResourceType> {
  readonly type: T;
  readonly fetched: Fetched<T>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The fields of the form; all that an update may set without them. */
  readonly only?: readonly string[];
  /** Reads the record anew, where somebody else has changed it meanwhile. */
  readonly reload: () => void;
}

/** Changes a record in a form over the page; what somebody else has changed meanwhile is not overwritten. */
export function EditDialog<T extends ResourceType>(props: Props<T>) {
  const { type, isOpen, onClose } = props;
  const t = useTexts('records');
  const common = useTexts('common');
  const names = useNames();
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      size="lg"
      title={t('edit_title', { type: names.type(type) })}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      {isOpen && <EditForm {...props} />}
    </Modal>
  );
}

function EditForm<T extends ResourceType>({ type, fetched, only, onClose, reload }: Props<T>) {
  const t = useTexts('records');
  const notify = useNotify();
  const definition = useRegistry()[type];
  const { held, takeNext } = useHeld(fetched);
  const { record, etag } = held;
  const update = useUpdate(type, record.id, etag);
  const renew = () => {
    update.reset();
    takeNext();
    reload();
  };
  const fields = Object.entries(writableFields(definition.fields, 'update')).filter(
    ([name]) => only?.includes(name) ?? true,
  );
  return (
    <Stack>
      {isStatus(update.error, STALE) && <Stale onReload={renew} />}
      <RecordForm
        key={etag}
        fields={Object.fromEntries(fields)}
        attributes={record.attributes as AnyAttributes}
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

/** The record as it was when the form appeared: what is read again meanwhile changes nothing below somebody's hands. */
function useHeld<F extends { readonly etag: string | undefined }>(fetched: F) {
  const [held, hold] = useState(fetched);
  const [isWaiting, wait] = useState(false);
  if (isWaiting && fetched.etag !== held.etag) {
    hold(fetched);
    wait(false);
  }
  return { held, takeNext: () => wait(true) };
}

const STALE = 412;

function Stale({ onReload }: { readonly onReload: () => void }) {
  const t = useTexts('records');
  return (
    <Alert color="yellow" title={t('stale')}>
      <Button size="xs" variant="default" onClick={onReload}>
        {t('stale_reload')}
      </Button>
    </Alert>
  );
}
