import { Button, Checkbox, Code, Group, Modal, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';

interface Props {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** New recovery codes, shown only once. */
export function RecoveryCodes({ codes, onClose }: Props) {
  const t = useTexts('account');
  return (
    <Modal
      opened={codes.length > 0}
      onClose={onClose}
      title={t('codes_title')}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      {codes.length > 0 && <Codes codes={codes} onClose={onClose} />}
    </Modal>
  );
}

function Codes({ codes, onClose }: Props) {
  const t = useTexts('account');
  const [areStored, setStored] = useState(false);
  return (
    <Stack>
      <Text size="sm">{t('codes_hint')}</Text>
      <SimpleGrid cols={2} component="ul" p={0} m={0}>
        {codes.map((code) => (
          <li key={code}>
            <Code>{code}</Code>
          </li>
        ))}
      </SimpleGrid>
      <Button variant="default" onClick={() => save(codes)}>
        {t('codes_download')}
      </Button>
      <Checkbox
        label={t('codes_kept')}
        checked={areStored}
        onChange={({ currentTarget }) => setStored(currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button disabled={!areStored} onClick={onClose}>
          {t('done')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Downloads the codes as a file. */
function save(codes: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }));
  const link = Object.assign(document.createElement('a'), {
    href: url,
    download: 'florin-recovery-codes.txt',
  });
  link.click();
  URL.revokeObjectURL(url);
}
