import {
  type DocumentLogo,
  LOGO_BYTES_MAX,
  LOGO_SIDE_MAX,
} from '@florin/contract/document-logo.ts';
import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { useDashboard, useDashboardWrite } from '../../api/queries.ts';
import { useScope } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { ActionButton } from '../../parts/form/action-button.tsx';
import classes from './logo.module.css';

const KILO = 1_000;

/** The logo of documents, and buttons that change it. */
export function Logo({ mayEdit }: { readonly mayEdit: boolean }) {
  const t = useTexts('business');
  const { merchant, mode } = useScope();
  const logo = useDashboard<DocumentLogo>('logo');
  const id = logo.data?.id;
  const query = new URLSearchParams({ merchant, mode, id: id ?? '' });
  return (
    <Stack gap="xs" align="start">
      <Text size="sm" fw={600}>
        {t('logo')}
      </Text>
      {logo.error && <ProblemAlert error={logo.error} onRetry={() => void logo.refetch()} />}
      {id && (
        <img
          src={`/dashboard/api/logo/content?${query}`}
          alt={t('logo_alt')}
          className={classes.logo}
        />
      )}
      {logo.data && !id && <Text size="sm">{t('logo_none')}</Text>}
      {mayEdit && <LogoButtons hasLogo={Boolean(id)} />}
    </Stack>
  );
}

function LogoButtons({ hasLogo }: { readonly hasLogo: boolean }) {
  const t = useTexts('business');
  const notify = useNotify();
  const [isTooLarge, setTooLarge] = useState(false);
  const upload = useDashboardWrite<{ content: string }>('logo', 'PUT');
  const removal = useDashboardWrite<object>('logo', 'DELETE');
  const resetChoice = useRef<() => void>(null);
  const choose = async (file: File | null) => {
    // The browser reports no change if a person chooses the same file again.
    resetChoice.current?.();
    removal.reset();
    setTooLarge(file !== null && file.size > LOGO_BYTES_MAX);
    if (!file || file.size > LOGO_BYTES_MAX) return;
    upload.mutate({ content: await base64Of(file) }, { onSuccess: () => notify(t('logo_saved')) });
  };
  const remove = () => {
    upload.reset();
    removal.mutate({}, { onSuccess: () => notify(t('logo_removed')) });
  };
  const limits = { kilobytes: LOGO_BYTES_MAX / KILO, pixels: LOGO_SIDE_MAX };
  const error = upload.error ?? removal.error;
  return (
    <>
      <Text size="xs" c={isTooLarge ? 'red' : 'dimmed'} {...(isTooLarge && { role: 'alert' })}>
        {t('logo_hint', limits)}
      </Text>
      {error && <ProblemAlert error={error} />}
      <Group gap="xs">
        <FileButton
          accept="image/png,image/jpeg"
          onChange={(file) => void choose(file)}
          resetRef={resetChoice}
        >
          {(props) => (
            <Button {...props} size="xs" variant="default" loading={upload.isPending}>
              {t('logo_choose')}
            </Button>
          )}
        </FileButton>
        {hasLogo && (
          <ActionButton size="xs" isDestructive loading={removal.isPending} onClick={remove}>
            {t('logo_remove')}
          </ActionButton>
        )}
      </Group>
    </>
  );
}

/** Bytes of a file as base64. */
async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
