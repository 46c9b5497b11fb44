import { Button, FileButton, Group, Text, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { useLocale, useTexts } from '../../../i18n/use-texts.ts';
import { withFile } from './text-file.ts';
import type { FieldInputProps } from './types.ts';
import { useInputProps } from './use-input-props.tsx';

type Props = FieldInputProps & { readonly max: number };

/** Input for a long text, typed or read from files. File contents are appended. */
export function LongTextInput(props: Props) {
  const { path, form, max } = props;
  const t = useTexts('records');
  const shared = useInputProps(props);
  const resetRef = useRef<() => void>(null);
  const { notice, read } = useTextFiles(props);
  return (
    <div>
      <Textarea
        {...shared}
        {...form.getInputProps(path)}
        autosize
        minRows={2}
        maxRows={LINES_MAX}
        maxLength={max}
      />
      <Group gap="xs" mt={6}>
        <FileButton
          accept="text/*,.txt,.md,.csv,.log,.eml"
          resetRef={resetRef}
          onChange={(file) => {
            if (file) void read(file).then(() => resetRef.current?.());
          }}
        >
          {(button) => (
            <Button
              {...button}
              size="compact-xs"
              variant="default"
              aria-label={`${t('file_read')}: ${shared.label}`}
            >
              {t('file_read')}
            </Button>
          )}
        </FileButton>
        <Text size="xs" c="dimmed" role="status">
          {notice}
        </Text>
      </Group>
    </div>
  );
}

const LINES_MAX = 16;

function useTextFiles({ path, form, max }: Props) {
  const t = useTexts('records');
  const locale = useLocale();
  const numberText = (count: number) => new Intl.NumberFormat(locale).format(count);
  const [notice, setNotice] = useState('');
  const read = async (file: File): Promise<void> => {
    const typed = String(form.getInputProps(path).value ?? '');
    const result = await withFile(file, typed, max);
    if ('problem' in result) {
      setNotice('');
      form.setFieldError(path, t(result.problem, { max: numberText(max) }));
      return;
    }
    form.setFieldValue(path, result.text);
    form.clearFieldError(path);
    setNotice(
      t('file_done', { count: numberText(result.text.length - typed.length), name: file.name }),
    );
  };
  return { notice, read };
}
