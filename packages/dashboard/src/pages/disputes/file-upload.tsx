import {
  type DisputeFilePurpose,
  type DisputeFileType,
  disputeFilePurposes,
} from '@florin/contract/resources/dispute-files.ts';
import { Button, FileButton, Group, NativeSelect, Paper, Progress, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useRef, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { uploadFile } from '../../api/files.ts';
import { useSendKey } from '../../api/keys.ts';
import { keyOf } from '../../api/queries.ts';
import { useScope } from '../../api/scope.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { useFileSize } from './file-size.tsx';
import type { EvidenceRules } from './use-evidence-rules.ts';

const PERCENT = 100;

/** Uploads a chosen or dropped file with its purpose, and shows the progress. */
export function FileUpload({
  dispute,
  rules,
}: {
  readonly dispute: string;
  readonly rules: EvidenceRules;
}) {
  const t = useTexts('disputes');
  const names = useNames();
  const [purpose, setPurpose] = useState<DisputeFilePurpose>('receipt');
  const [isOver, setIsOver] = useState(false);
  const { share, error, send } = useUpload(dispute, purpose, rules);
  const limits = useFileLimits(rules);
  const isSending = share !== undefined;
  const resetChoice = useRef<() => void>(null);
  const accept = (file: File | null | undefined) => {
    // The browser reports no change if a person chooses the same file again.
    resetChoice.current?.();
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
        <FileButton
          accept={Object.keys(rules.file_bytes_max).join(',')}
          onChange={accept}
          resetRef={resetChoice}
          disabled={isSending}
        >
          {(props) => (
            <Button {...props} variant="default" loading={isSending}>
              {t('choose_file')}
            </Button>
          )}
        </FileButton>
      </Group>
      <Text size="sm" mt="xs">
        {t('file_hint', { limits })}
        {rules.one_file_of.length > 0 && ` ${t('one_file', { processor: rules.processor ?? '' })}`}
      </Text>
      {isSending && <Progress value={share * PERCENT} mt="xs" aria-label={t('uploading')} />}
      {error !== undefined && <ProblemAlert error={error} />}
    </Paper>
  );
}

const fileNames: Readonly<Record<DisputeFileType, string>> = {
  'application/pdf': 'PDF',
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
};

const nameOf = (type: string): string => fileNames[type as DisputeFileType] ?? type;

/** Accepted files with their sizes: `PDF (2 MB), JPEG (5 MB)`. */
function useFileLimits({ file_bytes_max }: EvidenceRules): string {
  const sizeOf = useFileSize();
  return Object.entries(file_bytes_max)
    .map(([type, bytes]) => `${nameOf(type)} (${sizeOf(bytes)})`)
    .join(', ');
}

/** Says why a file is refused, before it is sent. The browser does not know the type of every file. */
function useFileProblem(rules: EvidenceRules): (file: File) => ApiError | undefined {
  const t = useTexts('disputes');
  const limits = useFileLimits(rules);
  return ({ name, size, type }) => {
    const max = rules.file_bytes_max[type];
    if (max === undefined ? type === '' : size <= max) return undefined;
    const title = t(max === undefined ? 'file_type_refused' : 'file_too_large', { name, limits });
    return new ApiError(413, [{ status: '413', code: 'body_too_large', title }]);
  };
}

/** Sends one file at a time. A repetition after a lost answer has the same idempotency key. */
function useUpload(dispute: string, purpose: DisputeFilePurpose, rules: EvidenceRules) {
  const t = useTexts('disputes');
  const scope = useScope();
  const queries = useQueryClient();
  const notify = useNotify();
  const { current, done, failed } = useSendKey();
  const [share, setShare] = useState<number>();
  const [error, setError] = useState<unknown>();
  const problemOf = useFileProblem(rules);
  const send = async (file: File) => {
    setError(undefined);
    const problem = problemOf(file);
    if (problem) return setError(problem);
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
