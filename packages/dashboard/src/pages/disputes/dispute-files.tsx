import { Box, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { downloadFile } from '../../api/files.ts';
import { useList } from '../../api/list.ts';
import { useAction } from '../../api/queries.ts';
import { useScope } from '../../api/scope.ts';
import type { RecordOf } from '../../api/types.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { Section } from '../../parts/record/section.tsx';
import { SimpleTable } from '../../parts/table/simple-table.tsx';
import { FileSize } from './file-size.tsx';
import { FileUpload } from './file-upload.tsx';
import type { EvidenceRules } from './use-evidence-rules.ts';

type DisputeFile = RecordOf<'dispute_files'>;

interface Props {
  readonly dispute: string;
  /** Evidence that the processor takes; undefined until it is read. */
  readonly rules: EvidenceRules | undefined;
  /** Whether files may be added and removed. */
  readonly mayChange: boolean;
}

/** Files of a dispute, with upload and removal until the evidence is submitted. */
export function DisputeFiles({ dispute, rules, mayChange }: Props) {
  const t = useTexts('disputes');
  const records = useTexts('records');
  const names = useNames();
  const list = useList('dispute_files', {
    'filter[dispute]': dispute,
    'filter[removed_at]': 'null',
    sort: 'created_at',
  });
  const files = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const heads = [names.field('file_name'), names.field('purpose'), t('size'), records('actions')];
  return (
    <Section title={t('files')}>
      {list.error && <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />}
      {files.length > 0 ? (
        <Box style={SCROLLED}>
          <SimpleTable
            label={t('files')}
            heads={heads}
            rows={files.map((file) => ({
              key: file.id,
              cells: [
                file.attributes.file_name,
                names.value(file.attributes.purpose),
                <FileSize key="size" bytes={file.attributes.size_bytes} />,
                <FileButtons key="buttons" file={file} mayRemove={mayChange} />,
              ],
            }))}
          />
        </Box>
      ) : (
        !list.isPending && <Text size="sm">{t('no_files')}</Text>
      )}
      {mayChange && rules && <FileUpload dispute={dispute} rules={rules} />}
    </Section>
  );
}

/** Long names of buttons do not fit a phone beside the other columns. */
const SCROLLED = { overflowX: 'auto' } as const;

function FileButtons({
  file,
  mayRemove,
}: {
  readonly file: DisputeFile;
  readonly mayRemove: boolean;
}) {
  const t = useTexts('disputes');
  const scope = useScope();
  const remove = useAction('dispute_files', file.id, 'remove');
  const [error, setError] = useState<unknown>();
  const { file_name } = file.attributes;
  const download = () =>
    downloadFile(scope, `dispute_files/${file.id}/content`, file_name).then(
      () => setError(undefined),
      setError,
    );
  const problem = error ?? remove.error;
  return (
    <>
      <Group gap="xs" ml="calc(-1 * var(--mantine-spacing-xs))">
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={t('download_file', { name: file_name })}
          onClick={() => void download()}
        >
          {t('download')}
        </Button>
        {mayRemove && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            aria-label={t('remove_file', { name: file_name })}
            loading={remove.isPending}
            onClick={() => remove.mutate({})}
          >
            {t('remove')}
          </Button>
        )}
      </Group>
      {problem !== undefined && problem !== null && <ProblemAlert error={problem} />}
    </>
  );
}
