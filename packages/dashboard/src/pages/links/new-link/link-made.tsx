import { Button, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core';
import type { FocusEvent } from 'react';
import type { RecordOf } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { LinkButton } from '../../../parts/page/links.tsx';
import { recordPath } from '../../../parts/page/record-path.ts';
import { Icon } from '../../../parts/value/icon.tsx';
import { QrCode } from '../../../parts/value/qr-code.tsx';
import { SafeLink } from '../../../parts/value/safe-link.tsx';
import { StepTitle } from '../../terminal/checkout/step-title.tsx';

interface Props {
  readonly link: RecordOf<'payment_links'>;
  readonly onClose: () => void;
}

/** The new link, to copy, to print or to open. */
export function LinkMade({ link, onClose }: Props) {
  const t = useTexts('links');
  const common = useTexts('common');
  const { title, url } = link.attributes;
  return (
    <Stack>
      <StepTitle>{t('made', { title })}</StepTitle>
      <Text size="sm">{t('share_hint')}</Text>
      <Group align="flex-start">
        <QrCode text={url} label={t('qr', { url })} />
        <Stack gap="sm" flex="1 1 14rem" miw={0}>
          <TextInput label={t('address')} value={url} readOnly onFocus={selectAll} />
          <Group gap="md">
            <CopyLink url={url} />
            <SafeLink href={url} text={t('open')} />
          </Group>
        </Stack>
      </Group>
      <Group justify="flex-end">
        <LinkButton variant="default" to={recordPath('payment_links', link.id)}>
          {t('details')}
        </LinkButton>
        <Button onClick={onClose}>{common('close')}</Button>
      </Group>
    </Stack>
  );
}

const selectAll = ({ currentTarget }: FocusEvent<HTMLInputElement>): void => currentTarget.select();

function CopyLink({ url }: { readonly url: string }) {
  const t = useTexts('links');
  const common = useTexts('common');
  return (
    <CopyButton value={url}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          onClick={copy}
          leftSection={<Icon name={copied ? 'check' : 'copy'} size={16} />}
        >
          <span aria-live="polite">{copied ? common('copied') : t('copy')}</span>
        </Button>
      )}
    </CopyButton>
  );
}
