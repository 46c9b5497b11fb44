import { Button, Checkbox, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Parameters } from '../../../api/queries.ts';
import { useScope } from '../../../api/scope.ts';
import { useLanguage, useTexts } from '../../../i18n/use-texts.ts';
import { ChoiceBar } from '../../../parts/form/choice-bar.tsx';
import { CodeSelect } from '../../../parts/form/inputs/code-select.tsx';
import { exportAddress } from '../../../parts/table/export-address.ts';
import { useExportColumns } from './use-export-columns.ts';

interface Props {
  /** Filter and sort parameters of the list. */
  readonly parameters: Parameters;
  readonly onDone: () => void;
}

const formats = ['people', 'raw'] as const;
type Format = (typeof formats)[number];

/** Choice of a file's format, columns and time zone. */
export function ExportForm({ parameters, onDone }: Props) {
  const t = useTexts('payments');
  const scope = useScope();
  const { language } = useLanguage();
  const [format, setFormat] = useState<Format>('people');
  const [timezone, setTimezone] = useState(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  const columns = useExportColumns();
  const isRaw = format === 'raw';
  const choice = isRaw ? {} : { columns: columns.chosen.join(','), timezone, language };
  return (
    <Stack>
      <ChoiceBar
        label={t('export_format')}
        value={format}
        onChange={(value) => setFormat(value as Format)}
        data={formats.map((value) => ({ value, label: t(`export_${value}`) }))}
        isWide
      />
      {isRaw ? (
        <Text size="sm">{t('export_raw_hint')}</Text>
      ) : (
        <>
          <Checkbox.Group
            label={t('export_columns')}
            value={[...columns.chosen]}
            onChange={columns.choose}
          >
            <SimpleGrid cols={2} spacing="xs" mt="xs">
              {columns.all.map((value) => (
                <Checkbox key={value} value={value} label={t(`column_${value}`)} />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
          <CodeSelect
            type="timezone"
            label={t('export_timezone')}
            value={timezone}
            onChange={(zone) => zone && setTimezone(zone)}
          />
        </>
      )}
      <Button
        component="a"
        href={exportAddress(scope, 'payment_demands', { ...parameters, ...choice })}
        download
        onClick={onDone}
        {...(!isRaw && columns.chosen.length === 0 && { 'data-disabled': true })}
      >
        {t('export_do')}
      </Button>
    </Stack>
  );
}
