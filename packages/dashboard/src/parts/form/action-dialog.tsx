import type { Action } from '@florin/contract/resources/define-resource.ts';
import { Stack, Text } from '@mantine/core';
import { useAction } from '../../api/queries.ts';
import type { Resource } from '../../api/types.ts';
import { useHelp, usePreloadedHelp } from '../../i18n/use-help.tsx';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../feedback/notices.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { isDestructive } from './destructive-actions.ts';
import { DialogFrame } from './dialog-frame.tsx';
import { RecordForm } from './record-form.tsx';

interface Props {
  readonly record: Resource;
  /** Name of the action as in the path: `void`. */
  readonly name: string;
  readonly action: Action;
  /** Whether success gives no notice, because the page reports the result. */
  readonly isSilent?: boolean;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks for an action's parameters and a confirmation, then runs it. */
export function ActionDialog(props: Props) {
  usePreloadedHelp();
  return props.action.fields ? <FormDialog {...props} /> : <PlainDialog {...props} />;
}

function ActionText({ summary, description }: Action) {
  const help = useHelp();
  return (
    <>
      {help(summary)}. {help(description)}
    </>
  );
}

function useAct({ record, name, isSilent = false, onClose }: Props) {
  const t = useTexts('records');
  const names = useNames();
  const notify = useNotify();
  const act = useAction(record.type, record.id, name);
  const onSuccess = () => {
    if (!isSilent) notify(t('done', { action: names.value(name) }));
    onClose();
  };
  return { act, onSuccess, label: names.value(name) };
}

function PlainDialog(props: Props) {
  const { name, action, isOpen, onClose } = props;
  const { act, onSuccess, label } = useAct(props);
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={label}
      text={<ActionText {...action} />}
      confirmText={label}
      danger={isDestructive(name)}
      isPending={act.isPending}
      error={act.error}
      onConfirm={() => act.mutate({}, { onSuccess })}
    />
  );
}

function FormDialog(props: Props) {
  const { record, action, isOpen, onClose } = props;
  const { act, onSuccess, label } = useAct(props);
  return (
    <DialogFrame isOpen={isOpen} onClose={onClose} title={label}>
      <Stack>
        <Text size="sm">
          <ActionText {...action} />
        </Text>
        <RecordForm
          fields={action.fields ?? {}}
          currency={String(record.attributes.amount_currency ?? '') || undefined}
          submitText={label}
          error={act.error}
          isPending={act.isPending}
          onCancel={onClose}
          onSubmit={(draft) => act.mutate(draft, { onSuccess })}
        />
      </Stack>
    </DialogFrame>
  );
}
