import { useState } from 'react';
import { problemsByField } from '../../../api/errors.ts';
import { useDashboardWrite } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { useNotify } from '../../../parts/feedback/notices.ts';
import { ConfirmDialog } from '../../../parts/form/confirm-dialog.tsx';
import { type AccountBody, choicesOf } from '../form/account-body.ts';
import { fieldProblem } from '../form/field-problem.ts';
import { SecretInput } from '../form/secret-input.tsx';
import type { ProcessorAccount, ProcessorField } from '../types.ts';

interface Props {
  readonly account: ProcessorAccount;
  readonly field: ProcessorField;
  readonly isDelete: boolean;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Stores, replaces or deletes one secret. The processor is asked before a secret in use is replaced. */
export function SecretDialog({ account, field, isDelete, isOpen, onClose }: Props) {
  const t = useTexts('processors');
  const { save, value, setValue, problem, send, close } = useSecret({
    account,
    field,
    isDelete,
    onClose,
  });
  const title = isDelete ? t('delete_secret', { label: field.label }) : field.label;
  const path = `secrets.${field.name}`;
  const refused = save.error ? problemsByField(save.error, (at) => at === path) : undefined;
  const isShown = refused && refused.others.length > 0;
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={title}
      text={isDelete ? t('delete_secret_text') : t('store_secret_text')}
      confirmText={t(isDelete ? 'delete' : 'save')}
      danger={isDelete}
      isPending={save.isPending}
      error={isShown || (isDelete && save.error) ? save.error : undefined}
      onConfirm={send}
    >
      {!isDelete && (
        <SecretInput
          field={field}
          value={value}
          onChange={setValue}
          error={problem ?? refused?.fields[path]}
        />
      )}
    </ConfirmDialog>
  );
}

function useSecret({ account, field, isDelete, onClose }: Omit<Props, 'isOpen'>) {
  const t = useTexts('processors');
  const notify = useNotify();
  const [value, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const save = useDashboardWrite<AccountBody>(`operator/processor_accounts/${account.id}`, 'PUT', {
    if_match: account.etag,
  });
  const close = () => {
    save.reset();
    setTyped('');
    onClose();
  };
  const setValue = (next: string) => {
    setProblem(undefined);
    setTyped(next);
  };
  const send = () => {
    const found = isDelete
      ? undefined
      : fieldProblem(t, { ...field, required: true }, value, account.mode);
    setProblem(found);
    if (found) return;
    const secrets = { [field.name]: isDelete ? null : value };
    save.mutate(
      { ...choicesOf(account), settings: {}, secrets },
      {
        onSuccess: () => {
          notify(t(isDelete ? 'secret_deleted' : 'secret_stored', { label: field.label }));
          close();
        },
      },
    );
  };
  return { save, value, setValue, problem, send, close };
}
