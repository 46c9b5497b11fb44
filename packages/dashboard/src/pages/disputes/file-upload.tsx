import {
  DISPUTE_FILE_BYTES_MAX,
  type DisputeFilePurpose,
  disputeFilePurposes,
  disputeFileTypes,
} from '@florin/contract/resources/dispute-files.ts';
import { Button, FileButton, Group, NativeSelect, Paper, Progress, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { uploadFile } from '../../api/files.ts';
import { useSendKey } from '../../api/keys.ts';
import { keyOf } from '../../api/queries.ts';
import { useScope } from '../../api/scope.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';

const PERCENT = 100;

/** Uploads a chosen or dropped file with its purpose, and shows the progress. */
export function FileUpload({ dispute }: { readonly dispute: string }) {
  const t = useTexts('disputes');
  const names = useNames();
  const [purpose, setPurpose] = useState<DisputeFilePurpose>('receipt');
  const [isOver, setIsOver] = useState(false);
  const { share, error, send } = useUpload(dispute, purpose);
  const isSending = share !== undefined;
  const accept = (file: File | null | undefined) => {
    if (file && !isSending) void send(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    accept(event.dataTransfer.files[0]);
  };
  return (
    <Paper
      withBorder
      p="md"
      mt="md"
      {...(isOver && { bg: 'var(--mantine-primary-color-light)' })}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Group align="flex-end">
        <NativeSelect
          label={names.field('purpose')}
          value={purpose}
          disabled={isSending}
          onChange={({ currentTarget }) => setPurpose(currentTarget.value as DisputeFilePurpose)}
          data={disputeFilePurposes.map((value) => ({ value, label: names.value(value) }))}
        />
        <FileButton accept={disputeFileTypes.join(',')} onChange={accept} disabled={isSending}>
          {(props) => (
            <Button {...props} variant="default" loading={isSending}>
              {t('choose_file')}
            </Button>
          )}
        </FileButton>
      </Group>
      <Text size="sm" mt="xs">
        {t('file_hint')}
      </Text>
      {isSending && <Progress value={share * PERCENT} mt="xs" aria-label={t('uploading')} />}
      {error !== undefined && <ProblemAlert error={error} />}
    </Paper>
  );
}

const tooLarge = (title: string): ApiError =>
  new ApiError(413, [{ status: '413', code: 'body_too_large', title }]);

/** Sends one file at a time. A repetition after a lost answer has the same idempotency key. */
function useUpload(dispute: string, purpose: DisputeFilePurpose) {
  const t = useTexts('disputes');
  const scope = useScope();
  const queries = useQueryClient();
  const notify = useNotify();
  const { current, done, failed } = useSendKey();
  const [share, setShare] = useState<number>();
  const [error, setError] = useState<unknown>();
  const send = async (file: File) => {
    setError(undefined);
    if (file.size > DISPUTE_FILE_BYTES_MAX) return setError(tooLarge(t('file_too_large')));
    setShare(0);
    try {
      await uploadFile(scope, {
        path: `disputes/${dispute}/files`,
        parameters: { file_name: file.name, purpose },
        file,
        idempotency_key: current(),
        onProgress: setShare,
      });
      done();
      notify(t('file_uploaded'));
    } catch (problem) {
      failed(problem);
      setError(problem);
    }
    setShare(undefined);
    await queries.invalidateQueries({ queryKey: keyOf(scope) });
  };
  return { share, error, send };
}
